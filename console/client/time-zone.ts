/** Where the person works, as the service has it: before one knows, where the browser is. */
let zone: string | undefined
export const keepZone = (name: string) => {
  zone = name
}
export const zoneNow = () => zone
