import { encode } from 'uqr'

/** The rows of a QR code, true for dark modules, with the border of four modules that the standard requires. */
export const qrCode = (text: string) => encode(text, { ecc: 'M', border: 4 }).data
