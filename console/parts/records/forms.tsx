import type { Problem } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import { navigate, placeNowAt } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { ConfirmButton } from '../confirm.tsx'
import { Form } from '../form.tsx'
import type { RecordForms, SettingsRecord } from './kinds.ts'
import { nameOf, startOf } from './values.tsx'

export type Params = Record<string, number | string>
/** `within` is the parent record. */
type RecordFormProps = {
  kind: RecordForms
  path: string
  params?: Params
  extra?: Params
  within?: SettingsRecord
  onDone: () => void
}

export function NewRecord({ kind, path, params = {}, extra, within, onDone }: RecordFormProps) {
  const t = useTexts(common)
  const fieldName = useFieldName()
  const save = useWrite(`POST ${path}` as 'POST /departments', {
    done: (answer) => t('added', { name: nameOf(answer.data as unknown as SettingsRecord, kind.title) }),
    isFinal: kind.isFinal ?? false,
    onSuccess: onDone,
  })
  return (
    <Form
      fields={kind.create}
      of={(values) => kind.of.filter((name) => name in kind.create && (kind.isShown?.(name, values) ?? true))}
      {...(kind.headings ? { headings: kind.headings(fieldName) } : {})}
      {...(kind.descriptions ? { descriptions: kind.descriptions(fieldName) } : {})}
      {...(kind.start ? { start: kind.start } : {})}
      {...(within ? { within } : {})}
      onSubmit={(values) => save.mutate({ params, body: { ...withoutEmpty(values), ...extra } } as never)}
      error={save.error}
      isBusy={save.isPending}
      submitLabel={t('add')}
      onCancel={onDone}
    >
      {(values) =>
        kind.preview ? (
          <kind.preview
            path={path}
            params={params}
            {...(within ? { within } : {})}
            values={{ ...withoutEmpty(values), ...extra }}
          />
        ) : null
      }
    </Form>
  )
}

const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))

export function ChangeRecord({
  kind,
  path,
  params = {},
  record,
  etag,
  within,
  onDone,
}: RecordFormProps & { record: SettingsRecord; etag?: string | undefined }) {
  const t = useTexts(common)
  const fieldName = useFieldName()
  const name = nameOf(record, kind.title)
  const all = { ...params, id: record.id }
  const save = useWrite(`PUT ${path}/{id}` as 'PUT /departments/{id}', {
    // The new name.
    done: ({ data }) => t('saved', { name: nameOf(data as never, kind.title) }),
    isFinal: kind.isFinal ?? false,
    onSuccess: onDone,
  })
  const remove = useWrite(`DELETE ${path}/{id}` as 'DELETE /departments/{id}', {
    done: t('deleted', { name }),
    isFinal: kind.isFinal ?? false,
    // Leave the page before the record is gone, so that it is not requested again.
    optimistic: () => {
      const { path: back } = placeNowAt()
      onDone()
      return () => navigate(back)
    },
  })
  const of = kind.of.filter((field) => field in kind.update && !kind.onlyNew?.includes(field))
  const start = startOf(record, of)
  return (
    <Form
      fields={kind.update}
      of={(values) => of.filter((name) => kind.isShown?.(name, { ...record, ...values }) ?? true)}
      {...(kind.headings ? { headings: kind.headings(fieldName) } : {})}
      {...(kind.descriptions ? { descriptions: kind.descriptions(fieldName) } : {})}
      start={start}
      {...(within ? { within } : {})}
      etag={etag}
      onSubmit={(_, changed, ifMatch) =>
        Object.keys(changed).length > 0 ? save.mutate({ params: all, body: changed, ifMatch } as never) : onDone()
      }
      error={save.error as Problem | null}
      isBusy={save.isPending}
      onCancel={onDone}
      aside={
        <ConfirmButton
          label={t('delete')}
          title={t('deleteTitle', { name })}
          text={t('deleteText')}
          isBusy={remove.isPending}
          button={{ variant: 'subtle', color: 'red' }}
          onConfirm={() => remove.mutate({ params: all } as never)}
        />
      }
    >
      {(values) =>
        kind.preview ? (
          <kind.preview
            path={path}
            params={params}
            record={record}
            {...(within ? { within } : {})}
            values={Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== start[field]))}
          />
        ) : null
      }
    </Form>
  )
}
