/** The part of the page that is not needed at once. */
export const more = () => import('../more');
