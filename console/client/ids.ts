/** A name that nothing else has; also where the page did not come safely, and browsers have no `crypto.randomUUID`. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('')
