import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ItemOf } from '../../client/client.ts'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import { CreateObjective } from '../../client/fields/performance.ts'
import { useMay, useMayFor } from '../../client/me.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RecordSelect } from '../../parts/fields.tsx'
import { Form, useBaseTag } from '../../parts/form.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblems } from '../../parts/problems.ts'
import { Empty, Failed, Loading, WhenFresh } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters, useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { Bar, isDown, Section, State, useAmount } from './parts.tsx'
import { performanceTexts } from './texts.ts'

type Objective = ItemOf<'GET /performance/objectives'>
type OpenDialog = { what: 'new' } | { what: 'edit' | 'update'; of: Objective }

/** Objectives, and the key results that measure them. */
export function Objectives() {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const may = useMay()
  const { get, set } = useFilters()
  const [open, setOpen] = useState<OpenDialog>()
  const owner = Number(get('owner_id')) || null
  const query = { sort: '-updated_at' as const, ...(owner ? { owner_id: owner } : {}) }
  const found = usePages('GET /performance/objectives', { query }, { kinds: ['key_results'] })
  const close = () => setOpen(undefined)
  const add = may('performance:write') ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'new' })}>
      {t('newObjective')}
    </Button>
  ) : null
  return (
    <Section part="objectives" actions={add}>
      <Stack gap="md">
        {may('employees:read') ? (
          <Group className="filters">
            <RecordSelect
              table="employees"
              aria-label={fieldName('owner')}
              placeholder={t('anyOwner')}
              value={owner}
              onChange={(id) => set({ owner_id: id === null ? undefined : String(id) })}
            />
          </Group>
        ) : null}
        {found.error ? (
          <Failed error={found.error} onRetry={() => void found.refetch()} />
        ) : found.total === undefined ? (
          <Loading rows={4} height={150} />
        ) : found.total === 0 ? (
          <Empty
            icon="target"
            isFiltered={owner !== null}
            onClear={() => set({ owner_id: undefined })}
            {...(owner ? {} : { title: t('noObjectives'), text: t('noObjectivesText') })}
          />
        ) : (
          <ul className="performance-list">
            {found.items.map((one) => (
              <Card key={one.id} of={one} onOpen={setOpen} />
            ))}
          </ul>
        )}
        {found.hasNextPage ? (
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {words('more')}
          </Button>
        ) : null}
      </Stack>
      {open?.what === 'update' ? (
        <FreshObjective of={open.of}>
          {(one, etag) => <CurrentValues of={one} etag={etag} onClose={close} />}
        </FreshObjective>
      ) : null}
      {open?.what === 'new' ? <Edit onClose={close} /> : null}
      {open?.what === 'edit' ? (
        <FreshObjective of={open.of}>{(one, etag) => <Edit of={one} etag={etag} onClose={close} />}</FreshObjective>
      ) : null}
    </Section>
  )
}

function Card({ of, onOpen }: { of: Objective; onOpen: (open: OpenDialog) => void }) {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const { mayFor, isPending } = useMayFor(of.owner?.id ?? null, 'performance:write')
  const amount = useAmount()
  const { day } = useFormats()
  const dates = [of.starts_on, of.ends_on].filter(Boolean).map((one) => day(one))
  const about = [of.owner ? nameOf(of.owner) : '', dates.join(' – ')].filter(Boolean).join(' · ')
  return (
    <li className="performance-card">
      <Stack gap="sm">
        <div className="performance-row">
          <div>
            <Title order={2} size="h5" className="performance-title">
              {of.title}
            </Title>
            <Text size="sm" c="dimmed" component="div">
              <State of={of.status} /> {about}
            </Text>
          </div>
          <Bar label={t('progressOf', { title: of.title })} percent={of.progress} status={of.status} />
        </div>
        {of.key_results.map((one) => (
          <div key={one.id} className="performance-row">
            <Text size="sm">{one.title}</Text>
            <div>
              <Bar label={t('progressOf', { title: one.title })} percent={one.progress} status={one.status} />
              <Text size="xs" c="dimmed">
                {t(isDown(one.start, one.target) ? 'downTo' : 'ofTarget', {
                  current: amount(one.current, one.metric, one.currency_code),
                  target: amount(one.target, one.metric, one.currency_code),
                })}
              </Text>
            </div>
          </div>
        ))}
        {mayFor('performance:write') ? (
          <Group gap="xs" className="no-print">
            {of.key_results.length > 0 ? (
              <Button
                size="xs"
                variant="light"
                aria-label={`${t('update')}: ${of.title}`}
                onClick={() => onOpen({ what: 'update', of })}
              >
                {t('update')}
              </Button>
            ) : null}
            <Button
              size="xs"
              variant="default"
              aria-label={`${words('edit')}: ${of.title}`}
              onClick={() => onOpen({ what: 'edit', of })}
            >
              {words('edit')}
            </Button>
          </Group>
        ) : isPending ? (
          <Skeleton height={30} width={140} />
        ) : null}
      </Stack>
    </li>
  )
}

const KINDS = ['key_results']

/** The fields of a key result in a request. All of them are sent. */
const sentOf = ({
  id,
  title,
  metric,
  currency_code,
  start,
  target,
  current,
  weight,
}: Objective['key_results'][number]) => ({
  id,
  title,
  metric,
  currency_code,
  start: String(start),
  target: String(target),
  current: String(current),
  weight,
})

/**
 * All key results are sent together, so the form needs fresh ones. If somebody else changes them meanwhile, the user
 * sees a conflict.
 */
function FreshObjective(props: { of: Objective; children: (of: Objective, etag: string | undefined) => ReactNode }) {
  const read = useRead('GET /performance/objectives/{id}', { params: { id: props.of.id } })
  return <WhenFresh of={read}>{({ data }) => props.children(data, read.etag)}</WhenFresh>
}

type ObjectiveDialogProps = { etag?: string | undefined; onClose: () => void }

/** Updates the current value of each key result. */
function CurrentValues({ of, etag, onClose }: ObjectiveDialogProps & { of: Objective }) {
  const t = useTexts(performanceTexts)
  const { number } = useFormats()
  const words = useTexts(common)
  const [began] = useState(() => new Map(of.key_results.map(({ id, current }) => [id, String(current)])))
  const [values, setValues] = useState(began)
  const save = useWrite('PUT /performance/objectives/{id}', { done: t('saved'), touches: KINDS, onSuccess: onClose })
  const ifMatch = useBaseTag(etag)
  const at = of.key_results.map((_, index) => `key_results[${index}].current`)
  const problems = useProblems(save.error, {}, { at })
  useUnsaved(
    [...values].some(([id, value]) => value !== began.get(id)),
    words('unsaved'),
    save.isPending,
  )
  return (
    <Dialog opened onClose={onClose} title={t('updateTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const key_results = of.key_results.map((one) => ({ ...sentOf(one), current: values.get(one.id) }))
          save.mutate({ params: { id: of.id }, body: { key_results }, ifMatch })
        }}
      >
        <Stack>
          {of.key_results.map(({ id, title, target }, index) => (
            <NumberField
              key={id}
              label={title}
              description={`${t('target')}: ${number(target)}`}
              required
              error={problems[at[index] as string]}
              data-autofocus={index === 0 || undefined}
              value={values.get(id)}
              onChange={(value) => setValues(new Map(values).set(id, value ?? ''))}
            />
          ))}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {words('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

type KeyResultRow = { id?: number; title: string; target: string }

function Edit({ of, etag, onClose }: ObjectiveDialogProps & { of?: Objective }) {
  const t = useTexts(performanceTexts)
  const [began] = useState<KeyResultRow[]>(() => of?.key_results.map(sentOf) ?? [{ title: '', target: '' }])
  const [keys, setKeys] = useState(began)
  const done = { done: t('saved'), touches: KINDS, onSuccess: onClose }
  const create = useWrite('POST /performance/objectives', done)
  const change = useWrite('PUT /performance/objectives/{id}', done)
  const ifMatch = useBaseTag(etag)
  const { error, isPending } = of ? change : create
  const submit = (values: Record<string, unknown>, changed: Record<string, unknown>) => {
    const key_results = keys.filter(({ title }) => title.trim() !== '')
    const body = { ...changed, ...(keys === began ? {} : { key_results }) }
    if (of && Object.keys(body).length === 0) onClose()
    else if (of) change.mutate({ params: { id: of.id }, body, ifMatch })
    else create.mutate({ body: { ...values, key_results } as never })
  }
  const start = of ? { ...of, owner_id: of.owner?.id ?? null } : {}
  return (
    <Dialog opened onClose={onClose} title={t(of ? 'editObjective' : 'newObjective')} size="lg">
      <Form
        fields={CreateObjective}
        of={['title', 'owner_id', 'starts_on', 'ends_on', 'description']}
        start={start}
        onSubmit={submit}
        error={error}
        isBusy={isPending}
        isTouched={keys !== began}
        onCancel={onClose}
      >
        {() => <KeyResults keys={keys} onChange={setKeys} />}
      </Form>
    </Dialog>
  )
}

function KeyResults({ keys, onChange }: { keys: KeyResultRow[]; onChange: (keys: KeyResultRow[]) => void }) {
  const t = useTexts(performanceTexts)
  const set = (at: number, change: Partial<KeyResultRow>) =>
    onChange(keys.map((one, index) => (index === at ? { ...one, ...change } : one)))
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {t('keyResults')}
      </Text>
      {keys.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: new ones have no id, only an order
        <div key={index} className="performance-key">
          <TextInput
            aria-label={t('keyResult', { number: index + 1 })}
            placeholder={t('keyResult', { number: index + 1 })}
            value={one.title}
            onChange={(event) => set(index, { title: event.currentTarget.value })}
          />
          <NumberField
            aria-label={t('keyTarget', { number: index + 1 })}
            placeholder={t('target')}
            value={one.target}
            onChange={(target) => set(index, { target: target ?? '' })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeKeyResult', { number: index + 1 })}
            onClick={() => onChange(keys.filter((_, at) => at !== index))}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => onChange([...keys, { title: '', target: '' }])}
      >
        {t('addKeyResult')}
      </Button>
    </Stack>
  )
}
