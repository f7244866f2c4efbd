import { shared } from '../texts/words/words.ts'

/** Words of the frame around all screens, and the screens' names. */
export const shellTexts = shared('frame')

export type ScreenName = keyof typeof shellTexts.en
