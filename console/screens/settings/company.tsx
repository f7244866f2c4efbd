import { Button, Checkbox, FileInput, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { UpdateCompany } from '../../client/fields/organisation.ts'
import { UpdateRecruitmentSettings } from '../../client/fields/recruitment.ts'
import { useMay, useMayForAll } from '../../client/me.ts'
import type { Company, RecruitmentSettings } from '../../client/operations.ts'
import { codeName } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { WhenFresh } from '../../parts/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useLocale, useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { settingsTexts } from './texts.ts'

/** Settings of the whole company. */
export function CompanySection() {
  const t = useTexts(settingsTexts)
  const mayForAll = useMayForAll()
  const read = useRead('GET /company', {}, { kinds: ['companies'] })
  return (
    <WhenFresh of={read}>
      {({ data }) => (
        <Stack maw={640}>
          {mayForAll('organisation:write') ? <CompanyForm of={data} etag={read.etag} /> : <CompanyFacts of={data} />}
          <Text size="sm" c="dimmed">
            {t('accountText')}
          </Text>
        </Stack>
      )}
    </WhenFresh>
  )
}

function CompanyForm({ of, etag }: { of: Company; etag: string | undefined }) {
  const t = useTexts(settingsTexts)
  const save = useWrite('PUT /company', { done: t('companySaved'), touches: ['companies'] })
  return (
    <Form
      fields={UpdateCompany}
      of={({ tenure_from }) => [
        'name',
        'time_zone',
        'currency_code',
        'full_time_hours',
        'tenure_from',
        ...(tenure_from === 'bridged' ? (['tenure_gap_months'] as const) : []),
      ]}
      start={{ ...of }}
      etag={etag}
      onSubmit={(_, changed, base) => {
        if (Object.keys(changed).length > 0) save.mutate({ body: changed, ifMatch: base })
      }}
      error={save.error}
      isBusy={save.isPending}
    />
  )
}

function CompanyFacts({ of }: { of: Company }) {
  const t = useTexts(settingsTexts)
  const fieldName = useFieldName()
  const valueName = useValueName()
  const locale = useLocale()
  const formats = useFormats()
  return (
    <dl className="settings-facts settings-card">
      <dt>{t('accountName')}</dt>
      <dd>{of.name}</dd>
      <dt>{t('accountZone')}</dt>
      <dd>{of.time_zone}</dd>
      <dt>{t('accountCurrency')}</dt>
      <dd>{codeName('currency', of.currency_code, locale)}</dd>
      <dt>{fieldName('full_time_hours')}</dt>
      <dd>{formats.number(of.full_time_hours)}</dd>
      <dt>{fieldName('tenure_from')}</dt>
      <dd>{valueName(of.tenure_from)}</dd>
    </dl>
  )
}

const ENTERED = ['consent_required', 'careers_heading', 'careers_introduction', 'careers_color'] as const

/** Settings of hiring, and the look of the careers page. */
export function HiringSection() {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const read = useRead('GET /recruitment/settings')
  return (
    <WhenFresh of={read}>
      {({ data }) =>
        may('recruitment:write') ? (
          <HiringForm of={data} etag={read.etag} />
        ) : (
          <Checkbox label={t('consentText')} checked={data.consent_required} disabled />
        )
      }
    </WhenFresh>
  )
}

function HiringForm({ of, etag }: { of: RecruitmentSettings; etag: string | undefined }) {
  const t = useTexts(settingsTexts)
  // Undefined until the user chooses a logo, null to remove it.
  const [chosen, setLogo] = useState<string | null>()
  const logo = chosen === undefined ? of.careers_logo : chosen
  const save = useWrite('PUT /recruitment/settings', {
    done: t('consentSaved'),
    onSuccess: () => setLogo(undefined),
  })
  const problems = useProblems(save.error, { careers_logo: logo })
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
              error={problems.careers_logo}
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
