import { Button, FileButton, Select } from '@mantine/core'
import { asBaseTag, type BodyOf } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import type { Candidate } from '../../client/operations.ts'
import { FilePreview } from '../../parts/preview.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { candidateTexts } from './texts.ts'

/** The CV and other files, shown next to the other sections. The address names the open file. */
export function Documents({ of, etag }: { of: Candidate; etag: string | undefined }) {
  const t = useTexts(candidateTexts)
  const may = useMay()
  const { get, set } = useFilters()
  const read = useRead('GET /recruitment/candidates/{candidate_id}/documents', { params: { candidate_id: of.id } })
  const save = useWrite('PUT /recruitment/candidates/{id}', { done: t('cvSaved') })
  const cv = of.resume_url ? [{ key: 'cv', url: of.resume_url, name: t('cvName', { name: of.full_name }) }] : []
  const others = (read.answer?.data ?? []).map(({ id, url, filename }) => ({ key: String(id), url, name: filename }))
  const files = [...cv, ...others]
  const shown = files.find(({ key }) => key === get('file')) ?? files[0]
  const upload = (file: File | null) => {
    if (!file) return
    const body = new FormData()
    body.append('resume', file)
    save.mutate({
      params: { id: of.id },
      body: body as unknown as BodyOf<'PUT /recruitment/candidates/{id}'>,
      ifMatch: asBaseTag(etag),
    })
  }
  const button = may('recruitment:write') ? (
    <FileButton onChange={upload} inputProps={{ 'aria-label': t('cvUpload') }}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          size="xs"
          loading={save.isPending}
          leftSection={<Icon name="upload" size={14} />}
        >
          {of.resume ? t('cvReplace') : t('cvUpload')}
        </Button>
      )}
    </FileButton>
  ) : null
  return (
    <Section title={t('cv')} actions={shown ? button : null}>
      {files.length > 1 ? (
        <Select
          mb="sm"
          aria-label={t('files')}
          data={files.map(({ key, name }) => ({ value: key, label: name }))}
          value={shown?.key ?? null}
          onChange={(key) => set({ file: key === 'cv' ? undefined : (key ?? undefined) })}
          allowDeselect={false}
        />
      ) : null}
      {shown ? (
        <FilePreview url={shown.url} name={shown.name} />
      ) : read.answer ? (
        <Empty icon="file" title={t('cvNone')} text={t('cvNoneText')} action={button} />
      ) : (
        <Loading rows={3} />
      )}
    </Section>
  )
}
