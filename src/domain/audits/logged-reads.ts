import type { Watched } from '../../records/reads.ts'

/** What fetching a file by its signed address is called among the operations. */
export const DOWNLOAD = 'downloadFile'

/**
 * What leaves an entry when it is read: pay, wherever it stands; documents, and every file that is fetched; and all
 * that there is of a person, handed out at once.
 */
export const WATCHED: Watched = {
  groups: new Set(['compensation']),
  kinds: new Map([
    ['employee_documents', 'documents'],
    ['candidate_documents', 'documents'],
    ['leave_attachments', 'documents'],
  ]),
  handOuts: new Map([
    ['exportEmployee', { what: 'export', resource: 'employees' }],
    ['exportCandidate', { what: 'export', resource: 'candidates' }],
  ]),
}

/** The words for what was read. */
export const WHATS = [...WATCHED.groups, 'documents', 'file', 'export']
