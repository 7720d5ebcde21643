/** The rows that first screens do not call. */
export { operations } from 'virtual:operations/more'
