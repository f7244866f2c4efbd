/** The user's time zone as the service knows it; until it is loaded, the browser's. */
let zone: string | undefined
export const keepZone = (name: string) => {
  zone = name
}
export const zoneNow = () => zone
