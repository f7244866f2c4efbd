import { Button, Checkbox, FileInput, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { problemsOf, useRead, useWrite } from '../../client/data.ts'
import { UpdateRecruitmentSettings } from '../../client/fields/recruitment.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { RecruitmentSettings } from '../../client/operations.ts'
import { codeName } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
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

const ENTERED = ['consent_required', 'careers_heading', 'careers_introduction', 'careers_color'] as const

/** The rule for those who apply, and how the careers page looks. */
export function HiringSection() {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const read = useRead('GET /recruitment/settings')
  return (
    <Shown of={read}>
      {({ data }) =>
        may('recruitment:write') ? (
          <HiringForm of={data} etag={read.etag} />
        ) : (
          <Checkbox label={t('consentText')} checked={data.consent_required} disabled />
        )
      }
    </Shown>
  )
}

function HiringForm({ of, etag }: { of: RecruitmentSettings; etag: string | undefined }) {
  const t = useTexts(settingsTexts)
  // Undefined until another one is chosen, null where it is to go.
  const [chosen, setLogo] = useState<string | null>()
  const logo = chosen === undefined ? of.careers_logo : chosen
  const save = useWrite('PUT /recruitment/settings', {
    done: t('consentSaved'),
    onSuccess: () => setLogo(undefined),
  })
  return (
    <Stack maw={640}>
      <Form
        fields={UpdateRecruitmentSettings}
        of={ENTERED}
        start={{ ...of }}
        etag={etag}
        isTouched={chosen !== undefined}
        onSubmit={(_, changed, ifMatch) => {
          const body = { ...changed, ...(chosen === undefined ? {} : { careers_logo: chosen }) }
          if (Object.keys(body).length > 0) save.mutate({ body, ifMatch })
        }}
        error={save.error}
        isBusy={save.isPending}
      >
        {() => (
          <Group align="flex-end">
            <FileInput
              label={t('logo')}
              accept="image/png,image/jpeg,image/webp"
              clearable
              value={null}
              placeholder={t('chooseLogo')}
              onChange={(file) => void (file ? dataUriOf(file).then(setLogo) : setLogo(null))}
              error={problemsOf(save.error).careers_logo}
            />
            {logo ? (
              <>
                <img src={logo} alt={t('logo')} height={36} />
                <Button variant="subtle" color="red" onClick={() => setLogo(null)}>
                  {t('removeGrant')}
                </Button>
              </>
            ) : null}
          </Group>
        )}
      </Form>
    </Stack>
  )
}

const dataUriOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
