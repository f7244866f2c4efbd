/** Written by console/build/generate.ts from the list of operations: not by hand. */

import type { Fields } from '../fields.ts'

export const CreateTeam = {"name":{"type":"string","required":true,"maxLength":255,"minLength":1},"description":{"type":"string","nullable":true,"format":"text","maxLength":65535},"team_lead_id":{"type":"integer","required":true,"reference":"employees"},"user_ids":{"type":"array","about":"IDs of all members (employees) of the team. Members that you do not send are removed","items":{"type":"integer","reference":"employees"}}} as const satisfies Fields
export const UpdateTeam = {"name":{"type":"string","maxLength":255,"minLength":1},"description":{"type":"string","nullable":true,"format":"text","maxLength":65535},"team_lead_id":{"type":"integer","reference":"employees"},"user_ids":{"type":"array","about":"IDs of all members (employees) of the team. Members that you do not send are removed","items":{"type":"integer","reference":"employees"}}} as const satisfies Fields
export const AddTeamMember = {"user_id":{"type":"integer","required":true,"reference":"employees"}} as const satisfies Fields
