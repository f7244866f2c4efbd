import { shared } from './words/words.ts'

/** Texts that all screens share. */
export const common = shared('common')
