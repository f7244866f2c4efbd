import { Anchor, Badge, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { UpdateCandidate } from '../../client/fields/recruitment.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { Candidate } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Pairs, Section } from '../../parts/section.tsx'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { Applications } from './applications.tsx'
import { ConsentSection } from './consent.tsx'
import { Documents } from './documents.tsx'
import { Duplicates } from './duplicates.tsx'
import { Moves } from './moves.tsx'
import { Notes } from './notes.tsx'
import { Tasks } from './tasks.tsx'
import { candidateTexts } from './texts.ts'

/** A candidate: what they sent, what others think of them, and the actions. */
export default function CandidatePage({ params }: ScreenProps) {
  const id = Number(params.id)
  const t = useTexts(candidateTexts)
  const { get } = useFilters()
  const read = useRead(
    'GET /recruitment/candidates/{id}',
    { params: { id } },
    { kinds: ['applications', 'hires', 'sources'] },
  )
  const person = read.answer?.data
  const vacancy = person?.applications.find((one) => one.vacancy.id === Number(get('vacancy')))?.vacancy
  return (
    <Page
      title={person?.full_name ?? t('back')}
      isWide
      before={
        <Link to={vacancy ? `/hiring/${vacancy.id}` : '/hiring'} className="board-back no-print">
          <Icon name="left" size={14} />
          {vacancy ? t('backTo', { name: vacancy.title }) : t('back')}
        </Link>
      }
    >
      <WhenLoaded of={read} loading={<Loading rows={8} height={64} />}>
        {({ data }) => (
          <div className="candidate">
            <div className="candidate-papers">
              <Documents of={data} etag={read.etag} />
            </div>
            <Stack gap="md" className="candidate-words">
              <Applications of={data} />
              <Notes id={data.id} />
              <Details of={data} etag={read.etag} />
              <Tasks of={data} />
              <ConsentSection of={data} />
              <Duplicates of={data} />
              <Moves of={data} />
            </Stack>
          </div>
        )}
      </WhenLoaded>
    </Page>
  )
}

const EDITED = [
  'full_name',
  'email',
  'phone_numbers',
  'position',
  'level',
  'location',
  'source_id',
  'desired_salary',
  'currency_code',
  'urls',
  'skills',
  'tags',
] as const satisfies readonly (keyof typeof UpdateCandidate)[]

function Details({ of, etag }: { of: Candidate; etag: string | undefined }) {
  const t = useTexts(candidateTexts)
  const name = useFieldName()
  const may = useMay()
  const { withheld } = useMe()
  const { money, day } = useFormats()
  const [isEditing, setEditing] = useState(false)
  const save = useWrite('PUT /recruitment/candidates/{id}', { done: t('saved'), onSuccess: () => setEditing(false) })
  const list = (values: readonly string[]) =>
    values.length > 0 ? (
      <Group gap={4}>
        {values.map((one) => (
          <Badge key={one} color="gray">
            {one}
          </Badge>
        ))}
      </Group>
    ) : null
  const link = (href: string, text: string) => (
    <Anchor key={href} href={href} target={href.startsWith('http') ? '_blank' : undefined} rel="noreferrer">
      {text}
    </Anchor>
  )
  // Only web addresses become links, because applicants can enter anything.
  const phones = <Stack gap={2}>{of.phone_numbers.map((one) => link(`tel:${one.replace(/[^+\d]/g, '')}`, one))}</Stack>
  const sites = (
    <Stack gap={2}>
      {of.urls.map((url) => (/^https?:\/\//i.test(url) ? link(url, url) : <span key={url}>{url}</span>))}
    </Stack>
  )
  return (
    <Section
      title={t('details')}
      actions={
        may('recruitment:write') ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="edit" size={14} />}
            onClick={() => setEditing(true)}
          >
            {t('edit')}
          </Button>
        ) : null
      }
      {...(of.merged_ids.length > 0 ? { note: t('merged', { count: of.merged_ids.length }) } : {})}
    >
      <Pairs
        of={[
          [name('email'), of.email ? link(`mailto:${of.email}`, of.email) : null],
          [name('phone_numbers'), of.phone_numbers.length > 0 ? phones : null],
          [name('position'), [of.position, of.level].filter(Boolean).join(', ')],
          [name('location'), of.location],
          [name('source'), of.source],
          ...(withheld.includes('compensation')
            ? []
            : ([
                [
                  name('desired_salary'),
                  of.currency_code ? money(of.desired_salary, of.currency_code) : String(of.desired_salary ?? ''),
                ],
              ] as const)),
          [name('created_at'), day(of.created_at)],
          ...(of.urls.length > 0 ? ([[name('urls'), sites]] as const) : []),
          ...(of.skills.length > 0 ? ([[name('skills'), list(of.skills)]] as const) : []),
          ...(of.tags.length > 0 ? ([[name('tags'), list(of.tags)]] as const) : []),
          ...of.custom_fields
            .filter(({ value }) => value !== null && value !== '')
            .map((field) => [field.name, [field.value].flat().map(String).join(', ')] as const),
        ]}
      />
      {of.cover_letter ? <p className="candidate-letter">{of.cover_letter}</p> : null}
      {isEditing ? (
        <Dialog opened onClose={() => setEditing(false)} title={t('editTitle', { name: of.full_name })} size="lg">
          <Form
            fields={UpdateCandidate}
            of={EDITED}
            start={{ ...of, source_id: of.source_record?.id ?? null }}
            etag={etag}
            onSubmit={(_, changed, ifMatch) =>
              Object.keys(changed).length === 0
                ? setEditing(false)
                : save.mutate({ params: { id: of.id }, body: changed, ifMatch })
            }
            onCancel={() => setEditing(false)}
            isBusy={save.isPending}
            error={save.error}
          />
        </Dialog>
      ) : null}
    </Section>
  )
}
