import { encode } from 'uqr'

/** The rows of a QR code, true where it is dark, with the light border of four modules that the standard requires. */
export const qrCode = (text: string) => encode(text, { ecc: 'M', border: 4 }).data
