export const previewFile = async (file: File): Promise<string> => file.name
