/** A unique id. It also works on pages without HTTPS, where browsers have no `crypto.randomUUID`. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('')
