/** Whether a file is being dragged over the page. */
export const dropping = $state({ isOver: false })
