/** How many rows a list gives when the operator does not say. */
export const usualPage = 50
