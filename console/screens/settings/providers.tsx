import { Alert, Anchor, Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type AnswerOf, call } from '../../client/client.ts'
import { refresh, useRead } from '../../client/data.ts'
import { CreateIdentityProvider, UpdateIdentityProvider } from '../../client/fields/users.ts'
import { useMe } from '../../client/me.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import type { Preset, RecordKind, SettingsRecord } from '../../parts/records/kinds.ts'
import { Records } from '../../parts/records/list.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { hrefOf, Link, navigate } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useEmpty } from './empty.ts'
import { providerTexts } from './provider-texts.ts'
import type { SectionProps } from './sections.ts'

/** Common providers. Users replace the words in capitals. */
const PRESETS = [
  { name: 'Google', start: { name: 'Google', issuer: 'https://accounts.google.com' }, hint: 'hintGoogle' },
  {
    name: 'Microsoft Entra ID',
    // Entra sends no email_verified. Administrators set the addresses in the company's own directory, so they can be
    // trusted.
    start: { name: 'Microsoft', issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0', trusts_email: true },
    hint: 'hintEntra',
  },
  { name: 'Okta', start: { name: 'Okta', issuer: 'https://YOUR-DOMAIN.okta.com' }, hint: 'hintOkta' },
  {
    name: 'Keycloak',
    start: { name: 'Keycloak', issuer: 'https://keycloak.example.com/realms/YOUR-REALM' },
    hint: 'hintKeycloak',
  },
] as const satisfies readonly (Preset & { hint: string })[]

const KIND: RecordKind = {
  path: '/identity_providers',
  read: 'users:read',
  write: 'users:write',
  create: CreateIdentityProvider,
  update: UpdateIdentityProvider,
  of: [
    'name',
    'issuer',
    'client_id',
    'client_secret',
    'scopes',
    'enabled',
    'compulsory',
    'makes_users',
    'trusts_email',
  ],
  columns: ['name', 'issuer', 'enabled', 'compulsory'],
  start: { enabled: true, scopes: 'openid email profile' },
  presets: PRESETS,
  isFinal: true,
}

/**
 * Only users with all permissions for everybody may change providers, because providers decide which user somebody signs in as.
 */
function useMayManage(): boolean {
  const { for_everybody, withheld } = useMe()
  return for_everybody.includes('*') && withheld.length === 0
}

/** Identity providers: presets, the callback URL, and a test of the complete sign-in. */
export function ProvidersSection({ title, home, openId }: SectionProps) {
  const t = useTexts(providerTexts)
  const mayManage = useMayManage()
  const empty = useEmpty('identity_providers')
  const tested = /^(\d+)\/test$/.exec(openId)?.[1]
  if (tested) return <ProviderTest key={location.search} id={tested} home={home} />
  const records = (
    <Records
      kind={KIND}
      title={title}
      home={home}
      openId={openId === 'new' && !mayManage ? '' : openId}
      mayWrite={mayManage}
      empty={empty}
      aboveNew={(preset) => (
        <Stack gap="xs">
          <Text size="sm">
            {preset ? t(PRESETS.find(({ name }) => name === preset.name)?.hint ?? 'presetsText') : t('presetsText')}
          </Text>
          <CopyField label={t('callback')} value={location.origin + hrefOf('/sign-in/sso')} />
          <Text size="sm" c="dimmed">
            {t('callbackText')}
          </Text>
        </Stack>
      )}
    >
      {(record) => <Connection record={record} home={home} />}
    </Records>
  )
  if (mayManage) return records
  return (
    <Stack gap="sm">
      <Text size="sm">{t('ownersOnly')}</Text>
      {records}
    </Stack>
  )
}

/** The callback URL, whether a test has succeeded, and a button to test. */
function Connection({ record, home }: { record: SettingsRecord; home: string }) {
  const t = useTexts(providerTexts)
  const { ago } = useFormats()
  const mayManage = useMayManage()
  const confirmedAt = record.confirmed_at as string | null
  return (
    <Stack gap="sm">
      <CopyField label={t('callback')} value={String(record.redirect_uri)} />
      <section aria-label={t('state')}>
        <Title order={3} size="h5" mb={4}>
          {t('state')}
        </Title>
        <Group gap={6} mb="xs">
          <Icon name={confirmedAt ? 'check' : 'warning'} size={16} />
          <Text size="sm">{confirmedAt ? t('confirmed', { when: ago(confirmedAt) }) : t('unconfirmed')}</Text>
        </Group>
        <Text size="sm" c="dimmed" mb="sm">
          {t('requireText')}
        </Text>
        {mayManage ? (
          <Group gap="sm">
            <Button
              component="a"
              href={hrefOf(`${home}/${record.id}/test`)}
              target="_blank"
              rel="noopener"
              variant="default"
            >
              {t('test')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('saveFirst')}
            </Text>
          </Group>
        ) : null}
      </section>
    </Stack>
  )
}

type Report = AnswerOf<'POST /identity_providers/{id}/test_result'>['data']
type Step = Report['steps'][number]

/** The tab of a test. It goes to the provider, and shows the result when it comes back. */
function ProviderTest({ id, home }: { id: string; home: string }) {
  const t = useTexts(providerTexts)
  const read = useRead('GET /identity_providers/{id}', { params: { id: Number(id) } })
  const [report, setReport] = useState<Pick<Report, 'steps'> & Partial<Report>>()
  const [error, setError] = useState<unknown>()
  const isBegun = useRef(false)
  useEffect(() => {
    // A response of the provider can only be used once.
    if (isBegun.current) return
    isBegun.current = true
    const params = { id: Number(id) }
    const finish = async (query: string) => {
      const { body } = await call('POST /identity_providers/{id}/test_result', { params, body: { query } })
      refresh(['identity_providers'])
      setReport(body.data)
    }
    const start = async () => {
      const { body } = await call('POST /identity_providers/{id}/test', { params })
      if (body.data.url === null) setReport(body.data)
      else location.assign(body.data.url)
    }
    const { search } = location
    ;(new URLSearchParams(search).has('state') ? finish(search) : start()).catch(setError)
  }, [id])
  const name = read.answer?.data.name ?? ''
  const again = () => navigate(`${home}/${id}/test?at=${Date.now()}`, { replace: true })
  return (
    <Stack gap="md" className="provider-test">
      <Title order={2} size="h4">
        {t('testTitle', { name })}
      </Title>
      {error ? (
        <Failed error={error} onRetry={again} />
      ) : report ? (
        <>
          <Alert color={report.passed ? 'green' : 'red'} role="status" variant="outline">
            <Text fw={600}>{t(report.passed ? 'passed' : 'failed')}</Text>
            {report.passed && report.person
              ? t('passedText', { name: report.person.name, email: report.person.email ?? '' })
              : null}
          </Alert>
          <ol className="provider-steps">
            {report.steps.map((step) => (
              <StepLine key={step.step} step={step} />
            ))}
          </ol>
          <Group>
            <Button variant={report.passed ? 'default' : 'filled'} onClick={again}>
              {t('again')}
            </Button>
            <Anchor component={Link} to={`${home}/${id}`} size="sm">
              {t('toSettings')}
            </Anchor>
          </Group>
        </>
      ) : (
        <div role="status">
          <Text mb="xs">{t('testing')}</Text>
          <Text size="sm" c="dimmed" mb="md">
            {t('leaving')}
          </Text>
          <Loading rows={5} height={32} />
        </div>
      )}
    </Stack>
  )
}

const ICONS = { passed: 'check', failed: 'close', not_reached: 'minus' } as const

/** What to do about a failed step: by the failure, or by the step. */
const REMEDIES: readonly string[] = [
  'insecure_address',
  'too_large',
  'ended',
  'changed',
  'no_email',
  'unverified',
  'unknown',
  'taken',
  'not_allowed',
]

function StepLine({ step: { step, result, code, detail } }: { step: Step }) {
  const t = useTexts(providerTexts) as (key: string, values?: Record<string, string>) => string
  return (
    <li className={`provider-step provider-step-${result}`}>
      <span className="provider-step-icon">
        <Icon name={ICONS[result as keyof typeof ICONS]} size={16} />
      </span>
      <div>
        <Text fw={result === 'failed' ? 600 : 400} {...(result === 'not_reached' ? { c: 'dimmed' } : {})}>
          {t(step)} <VisuallyHidden>{t(`result_${result}`)}</VisuallyHidden>
        </Text>
        {result === 'failed' ? (
          <>
            <Text size="sm">{t(`fix_${REMEDIES.includes(code ?? '') ? code : step}`)}</Text>
            <Text size="sm" c="dimmed" className="provider-step-detail">
              {t('says', { detail: detail ?? '' })}
            </Text>
          </>
        ) : null}
      </div>
    </li>
  )
}
