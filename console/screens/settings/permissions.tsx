import { Checkbox, Select } from '@mantine/core'
import { CreateApiKey } from '../../client/fields/keys.ts'
import type { RoleGrant } from '../../client/operations.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useList } from '../../texts/lists.ts'
import { areaTexts } from './section-texts.ts'
import { settingsTexts } from './texts.ts'

/** Permissions in readable form: areas, and levels within each. */

type GrantPermissions = RoleGrant['permissions']
type Verb = 'read' | 'write' | 'all' | 'request' | 'enter' | 'approve' | 'override' | 'hire'

/** `write` does not include this one. It is granted separately. */
const BEYOND = 'hire'

/** All verbs of each area, from the list of permissions: leave → read, request, approve, write. */
const VERBS = new Map<string, string[]>()
for (const one of CreateApiKey.permissions.items.values) {
  const [area = '', verb] = one.split(':')
  if (verb && verb !== '*') VERBS.set(area, [...(VERBS.get(area) ?? []), verb])
}
export const GROUPS_OF_FIELDS = CreateApiKey.withheld.items.values

const nameOfArea = (t: unknown, area: string) => (t as (key: string) => string)(area)

/** Capitalises words at the beginning of a line. */
export const capital = (words: string) => words.charAt(0).toLocaleUpperCase() + words.slice(1)

/** Whose data a grant covers, if it does not include employees. */
function aboutOf(permissions: readonly string[]) {
  const isOf = (area: string) => permissions.some((one) => one.startsWith(`${area}:`))
  if (permissions.includes('*') || isOf('employees')) return undefined
  return isOf('recruitment') ? 'aboutHiring' : isOf('directory') ? 'aboutDirectory' : undefined
}

/** Describes permissions in a sentence. */
export function usePermissionSentence() {
  const t = useTexts(settingsTexts)
  const area = useTexts(areaTexts)
  const and = useList()
  const allowed = (permissions: readonly string[]) => {
    if (permissions.includes('*')) return t('mayAll')
    const byVerb = new Map<Verb, string[]>()
    for (const one of permissions) {
      const [name = '', verb = ''] = one.split(':')
      const isWider =
        verb !== '*' &&
        (permissions.includes(`${name}:*`) ||
          (!['write', BEYOND].includes(verb) && permissions.includes(`${name}:write`)))
      if (isWider) continue
      const key = (verb === '*' ? 'all' : verb) as Verb
      byVerb.set(key, [...(byVerb.get(key) ?? []), nameOfArea(area, name)])
    }
    const order: Verb[] = ['all', 'write', 'read', 'request', 'enter', 'approve', 'override', BEYOND]
    const parts = order.flatMap((verb) => {
      const areas = byVerb.get(verb)
      return areas ? [t(`verb_${verb}`, { what: and(areas) })] : []
    })
    return parts.length > 0 ? t('mayDo', { list: parts.join('; ') }) : t('mayNothing')
  }
  const groups = (sees: readonly string[]) => and(sees.map((one) => (t as (key: string) => string)(`group_${one}`)))
  const grant = ({ scope, permissions, sees }: Pick<RoleGrant, 'scope' | 'permissions' | 'sees'>, place: string) => {
    const covered = scope === 'department' || scope === 'location' ? t(`of_${scope}`, { place }) : t(`of_${scope}`)
    const seen = sees.length > 0 ? t('seesAlso', { list: groups(sees) }) : t('seesNone')
    const about = aboutOf(permissions)
    return `${covered}: ${allowed(permissions)}; ${seen}${about ? ` (${t(about)})` : ''}.`
  }
  return { allowed, groups, grant }
}

/** Selects a level for each area. */
export function PermissionsInput({
  value,
  onChange,
}: {
  value: GrantPermissions
  onChange: (value: GrantPermissions) => void
}) {
  const t = useTexts(settingsTexts)
  const area = useTexts(areaTexts)
  const isAll = value.includes('*')
  const set = (name: string, next: readonly string[]) => {
    const others = value.filter((one) => !one.startsWith(`${name}:`))
    onChange([...others, ...(next as GrantPermissions)])
  }
  return (
    <>
      <Checkbox
        label={t('allAreas')}
        checked={isAll}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
        mb="sm"
      />
      {isAll ? null : (
        <div className="settings-levels">
          {[...VERBS].map(([name, verbs]) => {
            const label = capital(nameOfArea(area, name))
            const held = value.filter((one) => one.startsWith(`${name}:`))
            return [
              <span key={`${name} name`} aria-hidden="true">
                {label}
              </span>,
              <Select
                key={name}
                size="xs"
                aria-label={label}
                allowDeselect={false}
                data={levelsOf(name, verbs).map((level) => ({
                  value: level.join(' '),
                  label: nameOfLevel(t, level),
                }))}
                value={
                  levelsOf(name, verbs)
                    .find((level) => level.length === held.length && level.every((one) => held.includes(one as never)))
                    ?.join(' ') ?? held.join(' ')
                }
                onChange={(level) => set(name, (level ?? '').split(' ').filter(Boolean))}
              />,
            ]
          })}
        </div>
      )}
    </>
  )
}

/** All levels of an area, from none to everything. */
function levelsOf(area: string, verbs: readonly string[]): string[][] {
  const between = verbs.filter((verb) => !['read', 'write', BEYOND].includes(verb))
  const name = (verb: string) => `${area}:${verb}`
  return [
    [],
    [name('read')],
    ...between.map((verb) => [name('read'), name(verb)]),
    ...(between.length > 1 ? [[name('read'), ...between.map(name)]] : []),
    [name('read'), name('write')],
    ...(verbs.includes(BEYOND) ? [[name('read'), name('write'), name(BEYOND)]] : []),
    [name('*')],
  ]
}

function nameOfLevel(t: (key: 'level_none') => string, level: readonly string[]): string {
  const say = t as (key: string) => string
  const verbs = level.map((one) => one.split(':')[1] as string)
  if (verbs.length === 0) return say('level_none')
  if (verbs.includes('*')) return say('level_all')
  if (verbs.includes(BEYOND) && verbs.includes('write')) return `${say('level_write')}, ${say('level_hire')}`
  if (verbs.includes('write')) return say('level_write')
  const [first = 'read', ...more] = verbs
  return [first, ...more].map((verb) => say(`level_${verb}`)).join(', ')
}
