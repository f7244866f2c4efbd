import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCode } from '../../console/parts/qr.ts'
import { readQr } from './read-qr.ts'

test('a QR code decodes to its text by the rules of the standard', () => {
  const uri =
    'otpauth://totp/Test%20company:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Test%20company'
  for (const text of ['ab', 'x'.repeat(20), uri, `${uri}${'y'.repeat(30)}`, `${uri}${'ї'.repeat(40)}`])
    assert.equal(readQr(qrCode(text)), text)
})
