import { shared } from './words/words.ts'

/** Words that all screens share. */
export const common = shared('common')
