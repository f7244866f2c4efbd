import { PLANNED } from '../domain/access/permissions.ts'
import type { Resource } from '../engine/declaration.ts'

const PLANNED_CHANGES = 'changes to jobs, pay and employment, until their first day or until they are announced'

/** Describes what each field group contains, derived from the declarations. */
export function groupsInWords(kinds: readonly Resource[], groups: readonly string[]): string {
  const rows = groups.map((group) => {
    const held = kinds.flatMap((kind) => {
      const many = kind.table.replaceAll('_', ' ')
      if (kind.group === group) return [`all ${many}`]
      const names = Object.entries(kind.fields).filter(([name, field]) => field.group === group && !isHidden(name))
      return names.length > 0 ? [`${many}: ${names.map(([name]) => `\`${name}\``).join(', ')}`] : []
    })
    if (group === PLANNED) held.push(PLANNED_CHANGES)
    return `| \`${group}\` | ${held.join('; ')} |`
  })
  return `## Hidden field groups

Field groups can be hidden from an API key (\`withheld\`) or a role. The key can then neither read nor set their fields, nor filter or sort by
them; requests for records that belong to the group as a whole are rejected. The header \`Cadre-Omitted\` names the groups that were left out of a response.
Custom fields, employee tables, their columns and document folders belong to the group in their \`protection\`.

| field group | contains |
|---|---|
${rows.join('\n')}`
}

const isHidden = (name: string) => name.endsWith('_day_of_year')
