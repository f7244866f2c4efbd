import { Button, Text, Timeline } from '@mantine/core'
import { usePages } from '../../client/data.ts'
import type { Candidate } from '../../client/operations.ts'
import { Section } from '../../parts/section.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { candidateTexts } from './texts.ts'

const DAY = 86_400

/** The stages of the candidate, how long each lasted, and who moved them. Newest first. */
export function Moves({ of }: { of: Candidate }) {
  const t = useTexts(candidateTexts)
  const words = useTexts(common)
  const { moment } = useFormats()
  const moves = usePages(
    'GET /recruitment/movements',
    { query: { 'applicant_ids[]': [of.id], sort: '-id' } },
    { size: 10, kinds: ['applications'] },
  )
  const title = (id: number) => of.applications.find(({ vacancy }) => vacancy.id === id)?.vacancy.title
  return (
    <Section title={t('moves')}>
      {moves.error ? (
        <Failed error={moves.error} onRetry={() => void moves.refetch()} />
      ) : moves.isPending ? (
        <Loading rows={2} />
      ) : moves.items.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('movesNone')}
        </Text>
      ) : (
        <Timeline bulletSize={14} lineWidth={2} active={moves.items.length}>
          {moves.items.map(({ id, stage, vacancy_application, entered_at, duration, created_by }) => (
            <Timeline.Item key={id} title={stage.name}>
              <Text size="xs" c="dimmed">
                {[
                  title(vacancy_application.vacancy_id),
                  moment(entered_at),
                  duration >= DAY ? t('stayed', { count: Math.floor(duration / DAY) }) : null,
                  created_by ? t('by', { name: created_by.full_name }) : null,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      {moves.hasNextPage ? (
        <Button
          mt="sm"
          variant="default"
          size="xs"
          loading={moves.isFetchingNextPage}
          onClick={() => void moves.fetchNextPage()}
        >
          {words('more')}
        </Button>
      ) : null}
    </Section>
  )
}
