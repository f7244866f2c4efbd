import { insertAll } from '../../engine/records.ts'
import type { Writer } from '../../records/write.ts'
import { makeReadyRoles } from '../access/ready-made-roles.ts'
import { genders } from './names.ts'

/** Creates the records that every new account starts with. */
export async function createDefaultRecords(db: Writer): Promise<void> {
  await makeReadyRoles(db)
  await insertAll(db, genders, [{ name: 'male' }, { name: 'female' }, { name: 'other' }])
}
