import { Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import { SetConsent } from '../../client/fields/recruitment.ts'
import { useMay } from '../../client/me.ts'
import type { Candidate, Consent } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { candidateTexts } from './texts.ts'

const COLOURS: Record<Consent['status'], string> = {
  none: 'gray',
  pending: 'yellow',
  consented: 'cadre',
  rejected: 'red',
  expired: 'orange',
}

/** The candidate's consent and its end. */
export function ConsentSection({ of }: { of: Candidate }) {
  const t = useTexts(candidateTexts)
  const may = useMay()
  const [isSetting, setSetting] = useState(false)
  const save = useWrite('POST /recruitment/candidates/{candidate_id}/consent', {
    done: t('consentSaved'),
    onSuccess: () => setSetting(false),
  })
  return (
    <Section
      title={t('consent')}
      actions={
        may('recruitment:write') ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="edit" size={14} />}
            onClick={() => setSetting(true)}
          >
            {t('consentChange')}
          </Button>
        ) : null
      }
    >
      <ul className="candidate-list">
        <ConsentLine title={t('processing')} of={of.consent} />
        <ConsentLine title={t('future')} of={of.future_recruitment_consent} />
      </ul>
      {isSetting ? (
        <Dialog opened onClose={() => setSetting(false)} title={t('consentChange')}>
          <Form
            fields={SetConsent}
            of={['kind', 'status', 'expires_on']}
            start={{ kind: SetConsent.kind.values[0] }}
            onSubmit={(values) =>
              save.mutate({
                params: { candidate_id: of.id },
                body: values as unknown as BodyOf<'POST /recruitment/candidates/{candidate_id}/consent'>,
              })
            }
            onCancel={() => setSetting(false)}
            isBusy={save.isPending}
            error={save.error}
          />
        </Dialog>
      ) : null}
    </Section>
  )
}

function ConsentLine({ title, of }: { title: string; of: Consent }) {
  const t = useTexts(candidateTexts)
  const valueName = useValueName()
  const { day } = useFormats()
  const since = of.status === 'rejected' ? of.rejected_at : of.status === 'consented' ? of.consented_at : null
  const times = [
    since ? t('since', { day: day(since) }) : null,
    of.expired_at && of.status !== 'none' ? t('until', { day: day(of.expired_at) }) : null,
  ].filter(Boolean)
  return (
    <li className="candidate-line">
      <div className="candidate-line-words">
        <Text size="sm">{title}</Text>
        {times.length > 0 ? (
          <Text size="xs" c="dimmed">
            {times.join(' · ')}
          </Text>
        ) : null}
      </div>
      <Badge color={COLOURS[of.status]}>{valueName(`consent_${of.status}`)}</Badge>
    </li>
  )
}
