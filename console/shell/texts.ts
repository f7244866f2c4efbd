import { shared } from '../texts/words/words.ts'

/** Texts of the frame, and the names of the screens. */
export const shellTexts = shared('frame')

export type ScreenName = keyof typeof shellTexts.en
