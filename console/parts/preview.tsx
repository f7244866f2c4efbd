import { Center, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ownPath } from '../client/client.ts'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { texts, useTexts } from '../texts/i18n.ts'

/**
 * Shows a file on the page. The file's own address only downloads it, so the file is fetched and shown from memory.
 * Many phone browsers cannot show PDFs; there the preview says so and offers a download.
 */

const previewTexts = texts({
  en: {
    none: 'No preview for this file type. Download the file to open it.',
    download: 'Download',
    of: 'Preview of {name}',
  },
  de: {
    none: 'Für diesen Dateityp gibt es keine Vorschau. Laden Sie die Datei herunter, um sie zu öffnen.',
    download: 'Herunterladen',
    of: 'Vorschau: {name}',
  },
  uk: {
    none: 'Для файлів цього типу немає попереднього перегляду. Завантажте файл, щоб відкрити його.',
    download: 'Завантажити',
    of: 'Перегляд: {name}',
  },
})

type LoadedFile = { url: string; type: string; text?: string }

export function FilePreview({ url: address, name }: { url: string; name: string }) {
  const t = useTexts(previewTexts)
  const words = useTexts(common)
  const [file, setFile] = useState<LoadedFile | 'failed'>()
  useEffect(() => {
    let url: string | undefined
    let isHere = true
    const load = async () => {
      const response = await fetch(ownPath(address))
      if (!response.ok) throw new Error(response.statusText)
      const blob = await response.blob()
      const text = blob.type.startsWith('text/plain') ? (await blob.text()).slice(0, 100_000) : undefined
      if (!isHere) return
      url = URL.createObjectURL(blob)
      setFile({ url, type: blob.type, ...(text === undefined ? {} : { text }) })
    }
    setFile(undefined)
    load().catch(() => isHere && setFile('failed'))
    return () => {
      isHere = false
      if (url) URL.revokeObjectURL(url)
    }
  }, [address])
  if (file === 'failed')
    return (
      <Center className="preview">
        <Text role="alert">{words('errorTitle')}</Text>
      </Center>
    )
  if (!file)
    return (
      <Center className="preview">
        <Loader aria-label={words('loading')} />
      </Center>
    )
  const title = t('of', { name })
  return (
    <figure className="preview-frame">
      {file.type.startsWith('image/') ? (
        <div className="preview">
          <img src={file.url} alt={title} />
        </div>
      ) : file.type === 'application/pdf' && navigator.pdfViewerEnabled ? (
        <iframe className="preview" src={file.url} title={title} />
      ) : file.text === undefined ? (
        <Text className="preview-none" c="dimmed">
          {t('none')}
        </Text>
      ) : (
        <pre className="preview">{file.text}</pre>
      )}
      <figcaption className="no-print">
        <span className="preview-name">{name}</span>
        <a href={file.url} download={name} className="preview-download">
          <Icon name="download" size={16} />
          {t('download')}
        </a>
      </figcaption>
    </figure>
  )
}
