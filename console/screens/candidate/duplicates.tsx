import { Button, Group, Radio, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { preview } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { useMayForAll, useMe } from '../../client/me.ts'
import type { Candidate, CandidateApplication, CandidateDuplicate } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/section.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Link } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { candidateTexts } from './texts.ts'

/** Candidates who may be the same person. Hidden if there are none. */
export function Duplicates({ of }: { of: Candidate }) {
  const t = useTexts(candidateTexts)
  const mayForAll = useMayForAll()
  const { withheld } = useMe()
  const [chosen, setChosen] = useState<CandidateDuplicate>()
  const read = useRead(
    'GET /recruitment/candidates/{candidate_id}/duplicates',
    { params: { candidate_id: of.id } },
    { kinds: ['candidate_phones'] },
  )
  const found = read.answer?.data ?? []
  if (found.length === 0) return null
  const why = (same: string[]) => same.map((one) => (one === 'phone' ? t('samePhone') : t('sameName'))).join(', ')
  return (
    <Section title={t('duplicates')}>
      <ul className="candidate-list">
        {found.map((one) => (
          <li key={one.candidate.id} className="candidate-line">
            <div className="candidate-line-words">
              <Link to={`/candidates/${one.candidate.id}`} className="person-name">
                {one.candidate.full_name}
              </Link>
              <Text size="xs" c="dimmed">
                {[one.candidate.email, why(one.same)].filter(Boolean).join(' · ')}
              </Text>
            </div>
            {mayForAll('recruitment:write') && withheld.length === 0 ? (
              <Button variant="default" size="xs" onClick={() => setChosen(one)}>
                {t('merge')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {chosen ? <Merge of={of} other={chosen.candidate} onClose={() => setChosen(undefined)} /> : null}
    </Section>
  )
}

const COMPARED = [
  'full_name',
  'email',
  'phone_numbers',
  'position',
  'level',
  'location',
  'source',
  'urls',
  'skills',
  'tags',
  'applications',
  'resume',
  'consent',
] as const satisfies readonly (keyof Candidate)[]

type DuplicateApplications = {
  vacancy: { id: number; title: string }
  own: CandidateApplication
  other: CandidateApplication
}

/** Applications of both candidates to the same vacancy. Only one of them is kept. */
const duplicateApplicationsOf = (of: Candidate, duplicate: Candidate): DuplicateApplications[] =>
  of.applications.flatMap((own) => {
    const other = duplicate.applications.find(({ vacancy }) => vacancy.id === own.vacancy.id)
    return other ? [{ vacancy: own.vacancy, own, other }] : []
  })

/** The default choice: the active application, if only one is active. */
const usual = ({ own, other }: DuplicateApplications) =>
  own.disqualified_at && !other.disqualified_at ? other.id : own.id

/** Previews a merge with a dry run before the user confirms it. */
function Merge({ of, other, onClose }: { of: Candidate; other: Candidate; onClose: () => void }) {
  const t = useTexts(candidateTexts)
  const words = useTexts(common)
  const name = useFieldName()
  const shown = useShown()
  const { day } = useFormats()
  const pairs = duplicateApplicationsOf(of, other)
  const [kept, setKept] = useState(() => new Map(pairs.map((one) => [one.vacancy.id, usual(one)])))
  const keep_application_ids = [...kept.values()]
  const sent = { params: { candidate_id: of.id }, body: { duplicate_id: other.id, keep_application_ids } }
  const dryRun = useQuery({
    queryKey: ['merge', sent],
    queryFn: () => preview('POST /recruitment/candidates/{candidate_id}/merge', sent),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const merge = useWrite('POST /recruitment/candidates/{candidate_id}/merge', {
    done: t('mergeDone', { name: other.full_name }),
    touches: ['applications', 'movements', 'candidate_notes', 'tasks', 'documents', 'notes'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('mergeTitle', { name: other.full_name })} size="xl">
      {pairs.map((one) => (
        <Radio.Group
          key={one.vacancy.id}
          mb="md"
          label={t('mergeApplications', { vacancy: one.vacancy.title })}
          description={t('mergeApplicationsText')}
          value={String(kept.get(one.vacancy.id))}
          onChange={(id) => setKept(new Map([...kept, [one.vacancy.id, Number(id)]]))}
        >
          <Stack gap={6} mt="xs">
            {[
              { whose: t('mergeThis'), application: one.own },
              { whose: t('mergeOther'), application: one.other },
            ].map(({ whose, application }) => (
              <Radio
                key={application.id}
                value={String(application.id)}
                label={`${whose}: ${day(application.created_at)}, ${application.disqualified_at ? t('out') : application.pipeline_state.name}`}
              />
            ))}
          </Stack>
        </Radio.Group>
      ))}
      {dryRun.error ? (
        <Failed error={dryRun.error} onRetry={() => void dryRun.refetch()} />
      ) : !dryRun.data ? (
        <Loading rows={6} />
      ) : (
        <Stack>
          <Text size="sm">{t('mergeText')}</Text>
          <Table.ScrollContainer minWidth={560} maxHeight="50vh" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={t('mergeAfter')} stickyHeader>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('field')}</Table.Th>
                  <Table.Th>{t('mergeThis')}</Table.Th>
                  <Table.Th>{t('mergeOther')}</Table.Th>
                  <Table.Th>{t('mergeAfter')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {COMPARED.map((field) => {
                  const [mine, theirs, after] = [of, other, dryRun.data.data].map((one) => shown(one, field))
                  return mine || theirs || after ? (
                    <Table.Tr key={field}>
                      <Table.Td>{name(field)}</Table.Td>
                      <Table.Td>{mine || '–'}</Table.Td>
                      <Table.Td>{theirs || '–'}</Table.Td>
                      <Table.Td fw={mine === after ? undefined : 600}>{after || '–'}</Table.Td>
                    </Table.Tr>
                  ) : null
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button loading={merge.isPending} onClick={() => merge.mutate(sent)}>
              {t('mergeDo')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function useShown(): (of: Candidate, field: (typeof COMPARED)[number]) => string {
  const words = useTexts(common)
  const valueName = useValueName()
  return (of, field) => {
    if (field === 'applications') return of.applications.map(({ vacancy }) => vacancy.title).join(', ')
    if (field === 'resume') return of.resume ? words('yes') : ''
    if (field === 'consent') return of.consent.status === 'none' ? '' : valueName(`consent_${of.consent.status}`)
    return [of[field] ?? []].flat().join(', ')
  }
}
