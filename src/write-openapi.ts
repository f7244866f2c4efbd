import { writeFileSync } from 'node:fs'
import { operations, resources } from './operations.ts'
import { apiDocument } from './surfaces/pages.ts'
import { VERSION } from './version.ts'

/** Writes the committed copy of the document, so that a change of the interface is a visible diff. */
const document = apiDocument({ operations, kinds: resources, version: VERSION })
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
