import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { useRead } from '../../client/data.ts'
import { Page } from '../../parts/page.tsx'
import { Face, PersonLine } from '../../parts/person.tsx'
import { Pairs, Section } from '../../parts/section.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Link } from '../../shell/router.tsx'
import { useScreenPath } from '../../shell/screens.ts'
import { shellTexts } from '../../shell/texts.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { profileTexts } from './texts.ts'

/** A colleague's profile for users who may only see the directory. */
export function PublicCard({ id, before }: { id: number; before: React.ReactNode }) {
  const t = useTexts(profileTexts)
  const frame = useTexts(shellTexts)
  const fieldName = useFieldName()
  const { day, moment } = useFormats()
  const chart = useScreenPath()('orgChart')
  const read = useRead('GET /directory/{id}', { params: { id } }, { kinds: ['employees', 'leave_requests'] })
  const data = read.answer?.data
  if (!data)
    return (
      <Page title={frame('profile')} before={before}>
        {read.error ? (
          <Failed error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <Loading rows={4} height={72} />
        )}
      </Page>
    )
  const time = moment(new Date().toISOString(), { timeStyle: 'short', timeZone: data.time_zone })
  return (
    <Page title={data.full_name} before={before}>
      <Stack gap="md">
        <Section title={t('contact')} note={t('publicNote', { name: data.first_name })}>
          <Group gap="lg" align="start" mb="md">
            <Face of={data} size={88} />
            <div>
              <Text fw={600}>{data.position?.name}</Text>
              <Text c="dimmed">{[data.department?.name, data.location?.name].filter(Boolean).join(' · ')}</Text>
              <Group gap="xs" mt={6}>
                {data.away ? <Badge color="yellow">{t('away', { day: day(data.away.until) })}</Badge> : null}
                <Badge color="gray">{t('localTime', { time })}</Badge>
              </Group>
            </div>
          </Group>
          <Pairs
            of={[
              [
                fieldName('email'),
                data.email ? (
                  <Anchor key="email" href={`mailto:${data.email}`}>
                    {data.email}
                  </Anchor>
                ) : null,
              ],
              [
                fieldName('work_phone_number'),
                data.work_phone_number ? (
                  <Anchor key="phone" href={`tel:${data.work_phone_number.replaceAll(/[^\d+]/g, '')}`}>
                    {data.work_phone_number}
                  </Anchor>
                ) : null,
              ],
              [fieldName('division'), data.division?.name],
              [fieldName('hired_on'), day(data.hired_on)],
            ]}
          />
        </Section>
        {data.manager ? (
          <Section
            title={fieldName('reporting_to')}
            actions={
              chart ? (
                <Link to={`${chart}?person=${id}`} className="profile-link">
                  {t('seeOrgChart')}
                </Link>
              ) : null
            }
          >
            <PersonLine of={data.manager} beneath={data.manager.email} />
          </Section>
        ) : null}
      </Stack>
    </Page>
  )
}
