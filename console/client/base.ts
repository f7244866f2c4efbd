/** The path under which the service runs, without a slash at the end: empty, or `/hr`. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="cadre-base"]')?.content ?? ''
