/** Whether tables are cards: the width of `table.css`. For the size of skeletons. */
export const isNarrow = (): boolean => window.matchMedia('(width < 480px)').matches;
