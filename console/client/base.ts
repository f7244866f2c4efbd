/** The path below which the whole service stands, without a slash at its end: empty, or `/hr`. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="cadre-base"]')?.content ?? ''
