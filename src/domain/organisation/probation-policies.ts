import { get, list, post, put, remove } from '../../engine/derive.ts'
import { integer, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

export const probationPolicies = resource(
  { table: 'probation_policies', one: 'probation policy', area: 'organisation' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Twelve weeks' }),
    length: integer({ required: true, min: 1, max: 3650, note: 'Length of the probation period in days', example: 84 }),
  },
)

const inQuery = ['name', 'length']

export const probationPolicyOperations = [
  list(probationPolicies),
  get(probationPolicies),
  post(probationPolicies, { inQuery }),
  put(probationPolicies, { inQuery }),
  remove(probationPolicies),
]
