const ROLES_IN_REVIEWS =
  '`self`: the person reviewed. `manager`: their manager. `peer`: a colleague. `report`: somebody who reports to them'
const rolesLong = (prefix: string) =>
  `\`${prefix}Self\`: the person reviewed. \`${prefix}Manager\`: their manager. \`${prefix}Peer\`: a colleague. \`${prefix}Report\`: somebody who reports to them`

/** `text scale`, as `QuestionText QuestionScale`; with the short names before them where both are taken. */
function longNames(prefix: string, short: string, both = false): string {
  const long = short.replace(/\b\w/g, (letter) => prefix + letter.toUpperCase())
  return both ? `${short} ${long}` : long
}

/**
 * What the values of a field or parameter mean, by the list of all its values. Lists of which every value says what it
 * is (`low`, `medium`, `high`) are not here.
 */
const VALUES: Record<string, string> = {
  'hired probation employed terminated':
    '`hired`: has not started yet. `probation`: in the probation period. `employed`: works here, not in probation. `terminated`: has left',
  'hired probation employed terminated active in_service all':
    '`hired`: has not started yet. `probation`: in the probation period. `employed`: works here, not in probation. `terminated`: has left. `active`: everybody who has not left. `in_service`: active and already started. `all`: everybody',
  'interested basic proficient expert': 'From lowest to highest: `interested`, `basic`, `proficient`, `expert`',
  'drafting opened held closed cancelled archived':
    '`drafting`: being prepared. `opened`: open for applications. `held`: on hold. `closed`: filled, or closed by hand. `cancelled`: will not be filled. `archived`: kept for reference; the state can no longer change',
  'active disqualified hired':
    '`active`: has an application that is not disqualified. `disqualified`: all applications are disqualified. `hired`: has become an employee',
  'none pending consented rejected expired':
    '`none`: never asked. `pending`: asked, no answer yet. `consented`: given. `rejected`: refused. `expired`: no longer valid',
  'none pending consented rejected':
    '`none`: never asked. `pending`: asked, no answer yet. `consented`: given. `rejected`: refused',
  'processing future_recruitment':
    '`processing`: processing of the data for applications. `future_recruitment`: being contacted about other vacancies',
  'individual department location division company':
    '`individual`: one employee. `department`, `location`, `division`: everybody in that department, location or division. `company`: the whole company',
  'none on_track behind at_risk':
    '`none`: cannot be rated, because there is no value, no first or last day, or the first day is in the future. `on_track`: target reached, or at least 90 % of the progress expected by today. `behind`: at least 60 % of it. `at_risk`: less than 60 %',
  'draft opened closed finished':
    '`draft`: being prepared. `opened`: participants can answer. `closed`: participants can no longer answer. `finished`: the results are shared with the people reviewed',
  'not_started partially_submitted submitted shared':
    '`not_started`: no participant has submitted. `partially_submitted`: some participants have submitted. `submitted`: all have. `shared`: the cycle is finished and the results are shared',
  'working break': '`working`: working time. `break`: a break',
  'unsubmitted pending approved rejected':
    '`unsubmitted`: not submitted yet. `pending`: submitted, waits for approval. `approved`, `rejected`: an approver has decided',
  'pending approved rejected withdrawn':
    '`pending`: waits for a decision. `approved`, `rejected`: an approver has decided. `withdrawn`: cancelled by the employee or for them',
  'leave_request holiday birthday anniversary first_day':
    '`leave_request`: leave of an employee. `holiday`: public holiday. `birthday`: birthday of an employee. `anniversary`: work anniversary. `first_day`: first day of a new employee',
  'available assigned lost retired':
    '`available`: can be assigned. `assigned`: somebody has it. `lost`: missing. `retired`: no longer in use',
  'draft published':
    '`draft`: visible only to people who can edit articles. `published`: visible to everybody who can read the knowledge base',
  'key person command_line anybody system':
    '`key`: an API key. `person`: a signed-in user. `command_line`: the `cadre` command. `anybody`: a request without a key, such as an application from the careers page. `system`: Cadre itself',
  'fixed reoccurring': '`fixed`: paid once. `reoccurring`: paid regularly, as often as `frequency` says',
  'compensation personal notes planned':
    '`compensation`: pay. `personal`: private data, such as the date of birth. `notes`: what people write about others. `planned`: changes to jobs, pay and employment before they are announced',
  'compensation personal notes':
    '`compensation`: pay. `personal`: private data, such as the date of birth. `notes`: what people write about others',
  'create update delete erase':
    '`create`, `update`, `delete`: the record was created, changed or deleted. `erase`: the data was erased for good, from the history too',
  'text number date boolean single_select multi_select employee':
    '`text`, `number`, `date`, `boolean` (yes or no): a value of that type. `single_select`: one of `options`. `multi_select`: any number of `options`. `employee`: a reference to an employee',
  'a1 a2 b1 b2 c1 c2 native': '`a1` (lowest) to `c2` (highest) are CEFR levels. `native`: native speaker',
  'core functional leadership': '`core`: everybody. `functional`: certain jobs. `leadership`: people who lead others',
  'percentage number currency':
    '`percentage`: percent. `number`: any other number. `currency`: an amount; requires `currency_code`',
  'percentage number currency boolean':
    '`percentage`: percent. `number`: any other number. `currency`: an amount in `currency_code`. `boolean`: done or not done',
  'accrual manual external':
    '`accrual`: employees earn `yearly_amount` each year, credited as `credit` says. `manual`: only adjustments add leave. `external`: the balance is managed elsewhere and does not limit requests',
  'not_working_paid not_working_unpaid working_paid':
    '`not_working_paid`: paid absence, such as annual leave. `not_working_unpaid`: unpaid absence. `working_paid`: paid and counted as working time, such as training',
  'working_days calendar_days':
    '`working_days`: days on which the employee would work, by working pattern and holidays. `calendar_days`: every day',
  'monthly yearly':
    '`monthly`: one twelfth at the beginning of each month. `yearly`: the whole year at its beginning; if the terms change during the year, the credit for the remaining months is recalculated with the new terms',
  'new in_progress hired':
    '`new`: new applications. `in_progress`: under review. `hired`: the candidate is hired; each application in the stage fills a position of the vacancy',
  'self manager peer report': ROLES_IN_REVIEWS,
  [longNames('ReviewParticipant', 'self manager peer report', true)]:
    `${ROLES_IN_REVIEWS}. Long names such as \`ReviewParticipantSelf\` mean the same`,
  [longNames('ReviewParticipant', 'self manager peer report')]: rolesLong('ReviewParticipant'),
  [longNames('ReviewAnswer', 'self manager peer report')]: rolesLong('ReviewAnswer'),
  'pending approved started revising rejected submitted':
    '`pending`: waits for approval. `approved`: asked to answer. `started`: has begun to answer. `revising`: the answers were returned to the participant for changes. `rejected`: does not take part. `submitted`: the answers are submitted',
  'pending approved rejected':
    '`pending`: waits for approval. `approved`: asked to answer. `rejected`: does not take part',
  [longNames('ReviewTemplateQuestion', 'text scale choice', true)]:
    '`text`: free text. `scale`: a rating. `choice`: one of `options`. Long names such as `ReviewTemplateQuestionText` mean the same',
  [longNames('ReviewTemplateQuestion', 'text scale choice')]:
    '`ReviewTemplateQuestionText`: free text. `ReviewTemplateQuestionScale`: a rating. `ReviewTemplateQuestionChoice`: one of `options`',
  'general onboarding offboarding':
    '`general`: any task. `onboarding`: when somebody joins. `offboarding`: when somebody leaves',
  'left application_closed last_changed consent_ended':
    '`left`: the employment ended. `application_closed`: the last application was closed. `last_changed`: the candidate, who has no applications, was last changed. `consent_ended`: a consent of the candidate expired, later than the candidate would otherwise be due',
  'link file': '`link`: a web address. `file`: an uploaded file',
  'public private': '`public`: colleagues see the leave type. `private`: they see only that the person is away',
  'invitation reset set_up':
    '`invitation`: first sign-in of a new user. `reset`: new password. `set_up`: first owner of the account',
  'leave_decided leave_waiting overtime_decided overtime_waiting time_rejected task_given review_asked reset_asked hire_waiting':
    '`leave_decided`, `overtime_decided`: your request was decided. `leave_waiting`, `overtime_waiting`: a request waits for your decision. `time_rejected`: a timesheet entry of yours was rejected. `task_given`: a task was assigned to you. `review_asked`: you are asked to answer a review. `reset_asked`: a user asked for a new password. `hire_waiting`: a candidate in the hired stage has no employee record yet',
  'discovery authorization token id_token email_match':
    '`discovery`: read the configuration of the provider. `authorization`: sign in at the provider. `token`: exchange the code for tokens. `id_token`: verify the ID token. `email_match`: find the user',
  'passed failed not_reached':
    '`passed`, `failed`: the step was tried. `not_reached`: not tried, because an earlier step failed or because the step belongs to the second part of the test (`test_result`)',
  'unreachable insecure_address too_large wrong_answer refused ended changed no_email unverified unknown taken not_allowed':
    '`unreachable`: no response. `insecure_address`: not an https address. `too_large`: the response is too large. `wrong_answer`: the response is invalid. `refused`: the provider rejected the request. `ended`: the test has expired or is already finished. `changed`: the settings changed during the test. `no_email`: the provider sent no email address. `unverified`: the email address is not verified. `unknown`: no user or employee has this address. `taken`: the user is linked to another identity at the provider. `not_allowed`: the user may not sign in',
  'compensation documents file export':
    '`compensation`: pay. `documents`: documents or attachments. `file`: a downloaded file. `export`: all data of a person',
  'self reports department location vacancies everybody':
    '`self`: the user, as an employee. `reports`: everybody who reports to the user, directly or indirectly. `department`: a department and those below it. `location`: one location. `vacancies`: the vacancies that the user leads or works on. `everybody`: no limit',
  'password passkey sso link': '`sso`: identity provider. `link`: sign-in link',
  'signed_in second_factor': '`signed_in`: done. `second_factor`: send a code or a passkey together with `ticket`',
}

/** What the values of a schema mean, or of the items of a list. */
export function valuesIn(schema: {
  enum?: readonly unknown[]
  items?: { enum?: readonly unknown[] }
}): string | undefined {
  const values = schema.enum ?? schema.items?.enum
  return values && VALUES[values.filter((one) => one !== null).join(' ')]
}
