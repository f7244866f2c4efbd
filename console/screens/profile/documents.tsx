import { ActionIcon, Anchor, Badge, Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ownPath } from '../../client/client.ts'
import { useRead } from '../../client/data.ts'
import { CreateEmployeeDocument } from '../../client/fields/employees.ts'
import type { EmployeeDocument } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { AddDialog, RemoveButton } from './records.tsx'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

/** Files and links by folder. Files open in a preview. */
export function Documents() {
  const t = useTexts(profileTexts)
  const { id, mayChange } = useProfile()
  const read = useRead('GET /employees/{employee_id}/documents', { params: { employee_id: id } })
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<EmployeeDocument>()
  const add = mayChange('employees:write') ? (
    <Button variant="default" leftSection={<Icon name="upload" />} onClick={() => setAdding(true)}>
      {t('upload')}
    </Button>
  ) : null
  return (
    <>
      <WhenLoaded of={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="file" title={t('documentsEmpty')} action={add} />
          ) : (
            <Stack gap="md">
              <Group justify="flex-end" className="no-print">
                {add}
              </Group>
              {[...Map.groupBy(data, ({ document_folder_id }) => document_folder_id).values()].map((documents) => (
                <Section
                  key={documents[0]?.document_folder_id}
                  title={documents[0]?.document_folder.name ?? ''}
                  note={documents[0]?.document_folder.description}
                >
                  <ul className="profile-list">
                    {documents.map((one) => (
                      <Line key={one.id} of={one} onPreview={() => setShown(one)} />
                    ))}
                  </ul>
                </Section>
              ))}
            </Stack>
          )
        }
      </WhenLoaded>
      {isAdding ? (
        <AddDialog
          kind="documents"
          title={t('upload')}
          fields={CreateEmployeeDocument}
          of={['name', 'document_folder_id', 'document', 'url']}
          missing={({ document, url }) => (document || url ? undefined : t('fileOrLink'))}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {shown ? <Preview of={shown} onClose={() => setShown(undefined)} /> : null}
    </>
  )
}

function Line({ of, onPreview }: { of: EmployeeDocument; onPreview: () => void }) {
  const t = useTexts(profileTexts)
  const { moment } = useFormats()
  const { mayChange } = useProfile()
  return (
    <li className="profile-line">
      <Icon name={of.type === 'link' ? 'link' : 'file'} />
      <div className="profile-line-words">
        {of.type === 'link' ? (
          <Anchor href={of.url} target="_blank" rel="noreferrer" fw={600}>
            {of.name}
          </Anchor>
        ) : (
          <button
            type="button"
            className="profile-button"
            onClick={onPreview}
            aria-label={t('previewOf', { name: of.name })}
          >
            {of.name}
          </button>
        )}
        <Text size="sm" c="dimmed">
          {moment(of.created_at)}
        </Text>
      </div>
      {mayChange('employees:write') ? (
        <RemoveButton kind="documents" recordId={of.id} label={t('remove', { name: of.name })} />
      ) : null}
    </li>
  )
}

/** A preview of a file. */
function Preview({ of, onClose }: { of: EmployeeDocument; onClose: () => void }) {
  const t = useTexts(profileTexts)
  const words = useTexts(common)
  const [file, setFile] = useState<{ url: string; type: string; text?: string } | 'failed'>()
  useEffect(() => {
    let url: string | undefined
    let isHere = true
    const load = async () => {
      const response = await fetch(ownPath(of.url))
      if (!response.ok) throw new Error(response.statusText)
      const blob = await response.blob()
      if (!isHere) return
      url = URL.createObjectURL(blob)
      const isText = blob.type.startsWith('text/plain')
      setFile({ url, type: blob.type, ...(isText ? { text: (await blob.text()).slice(0, 100_000) } : {}) })
    }
    load().catch(() => isHere && setFile('failed'))
    return () => {
      isHere = false
      if (url) URL.revokeObjectURL(url)
    }
  }, [of.url])
  const isThere = file !== undefined && file !== 'failed'
  return (
    <Dialog opened onClose={onClose} title={of.name} size="xl">
      <div className="profile-preview">
        {file === 'failed' ? (
          <Text role="alert">{words('failed')}</Text>
        ) : !file ? (
          <Center h="100%">
            <Loader aria-label={words('loading')} />
          </Center>
        ) : file.type.startsWith('image/') ? (
          <img src={file.url} alt={t('previewOf', { name: of.name })} />
        ) : file.type === 'application/pdf' ? (
          <iframe src={file.url} title={t('previewOf', { name: of.name })} />
        ) : file.text !== undefined ? (
          <pre>{file.text}</pre>
        ) : (
          <Text c="dimmed">{t('noPreview')}</Text>
        )}
      </div>
      <Group justify="space-between" mt="md">
        <Badge color="gray">{of.document_folder.name}</Badge>
        {isThere ? (
          <Button component="a" href={file.url} download={of.name} leftSection={<Icon name="download" />}>
            {t('download')}
          </Button>
        ) : (
          <ActionIcon disabled aria-label={t('download')} size="lg" variant="default">
            <Icon name="download" />
          </ActionIcon>
        )}
      </Group>
    </Dialog>
  )
}
