// What of the study needs Node: a study kept in a folder, and its page.
export { studyInFolder } from './study-in-folder.js'
export type { StudyInFolderOptions } from './study-in-folder.js'
export { writeStudyReport } from './study-report.js'
export type { StudyReport } from './study-report.js'
