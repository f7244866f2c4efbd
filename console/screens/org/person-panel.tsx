import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useMay } from '../../client/me.ts'
import type { OrgChart } from '../../client/operations.ts'
import { Face } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { orgTexts } from './texts.ts'
import type { Person, Tree } from './tree.ts'

/** The selected person: manager, department, reports and actions. */
export function PersonPanel(props: {
  person: Person
  chart: OrgChart
  tree: Tree
  given: Tree
  isPlanned: boolean
  isByKey: boolean
  onGoTo: (id: number) => void
  onClose: () => void
  onReportTo: (() => void) | undefined
}) {
  const { person, chart, tree, given, isPlanned, isByKey, onGoTo, onClose, onReportTo } = props
  const t = useTexts(orgTexts)
  const words = useTexts(common)
  const may = useMay()
  const { get, set } = useFilters()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isByKey) panel.current?.focus({ preventScroll: true })
  }, [isByKey])
  const at = (all: Tree, id: number | null) => (id === null ? undefined : all.people[all.placeOf.get(id) ?? -1])
  const manager = at(tree, person.manager_id)
  const before = at(given, at(given, person.id)?.manager_id ?? null)
  const named = (list: readonly { id: number; name: string }[], id: number | null) =>
    list.find((one) => one.id === id)?.name
  const facts = [
    [t('department'), named(chart.departments, person.department_id)],
    [t('location'), named(chart.locations, person.location_id)],
    [t('reports'), person.all > 0 ? t('counts', { direct: person.direct, all: person.all }) : undefined],
  ]
  return (
    <Paper
      ref={panel}
      withBorder
      shadow="md"
      p="md"
      className="org-panel no-print"
      component="section"
      aria-label={person.name}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Face of={{ full_name: person.name, avatar_url: person.photo }} size={48} />
          <div className="org-panel-words">
            <Text fw={600}>{person.name}</Text>
            <Text size="sm" c="dimmed">
              {person.position}
            </Text>
          </div>
          <Button variant="subtle" color="gray" size="compact-sm" aria-label={words('close')} onClick={onClose}>
            <Icon name="close" size={16} />
          </Button>
        </Group>
        <dl className="org-facts">
          <dt>{t('manager')}</dt>
          <dd>
            {manager ? (
              <Button variant="subtle" size="compact-sm" className="org-manager" onClick={() => onGoTo(manager.id)}>
                {manager.name}
              </Button>
            ) : (
              t('nobody')
            )}
            {isPlanned ? (
              <Text size="xs" c="dimmed">
                {t('wasReporting', { name: before?.name ?? t('nobody') })}
              </Text>
            ) : null}
          </dd>
          {facts.map(([name, value]) =>
            value ? (
              <div key={name} className="org-fact">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
        <Group gap="xs">
          {may('employees:read') ? (
            <Button variant="default" size="xs" renderRoot={(own) => <Link {...own} to={`/people/${person.id}`} />}>
              {t('openProfile')}
            </Button>
          ) : null}
          {person.all > 0 && get('top') !== String(person.id) ? (
            <Button variant="default" size="xs" onClick={() => set({ top: String(person.id) })}>
              {t('branch')}
            </Button>
          ) : null}
          {onReportTo ? (
            <Button size="xs" onClick={onReportTo}>
              {t('reportTo')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Paper>
  )
}
