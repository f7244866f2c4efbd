import type { Resource } from '../engine/declaration.ts'

/** Which data each group holds, for those who read the reference: from the declarations, so that it is true. */
export function groupsInWords(kinds: readonly Resource[], groups: readonly string[]): string {
  const rows = groups.map((group) => {
    const held = kinds.flatMap((kind) => {
      const many = kind.table.replaceAll('_', ' ')
      if (kind.group === group) return [`all ${many}`]
      const names = Object.entries(kind.fields).filter(([name, field]) => field.group === group && !isHidden(name))
      return names.length > 0 ? [`of ${many} ${names.map(([name]) => `\`${name}\``).join(', ')}`] : []
    })
    return `| \`${group}\` | ${held.join('; ')} |`
  })
  return `## What can be withheld from a key

A key can be kept from groups of data. It neither sees nor sets what is in them, cannot ask by it, and is refused where a
whole kind of record is in the group; \`Cadre-Omitted\` names the groups that were left out of an answer. Custom fields,
tables of employees, their columns and document folders belong to the group that their \`protection\` names.

| group | holds |
|---|---|
${rows.join('\n')}`
}

const isHidden = (name: string) => name.endsWith('_day_of_year')
