import { Checkbox, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import { codeName } from '../../parts/fields.tsx'
import { Shown } from '../../parts/states.tsx'
import { useLocale, useTexts } from '../../texts/i18n.ts'
import { settingsTexts } from './texts.ts'

/** What the whole company has in common. */
export function CompanySection() {
  const t = useTexts(settingsTexts)
  const { account } = useMe()
  const locale = useLocale()
  return (
    <Stack maw={640}>
      <dl className="settings-facts settings-card">
        <dt>{t('accountName')}</dt>
        <dd>{account.name}</dd>
        <dt>{t('accountZone')}</dt>
        <dd>{account.time_zone}</dd>
        <dt>{t('accountCurrency')}</dt>
        <dd>{codeName('currency', account.currency_code, locale)}</dd>
      </dl>
      <Text size="sm" c="dimmed">
        {t('accountText')}
      </Text>
    </Stack>
  )
}

/** The rule for those who apply. */
export function HiringSection() {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const read = useRead('GET /recruitment/settings')
  const save = useWrite('PUT /recruitment/settings', { done: t('consentSaved') })
  return (
    <Shown of={read}>
      {({ data }) => (
        <Stack maw={640}>
          <Checkbox
            label={t('consentText')}
            checked={data.consent_required}
            disabled={!may('recruitment:write') || save.isPending}
            onChange={(event) =>
              save.mutate({ body: { consent_required: event.currentTarget.checked }, ifMatch: read.etag })
            }
          />
        </Stack>
      )}
    </Shown>
  )
}
