/** The device model over the API: variables of one charge point and of all, and reports (DEVICE-A1, DEVICE-A2). */
import { z } from '@hono/zod-openapi'
import { componentSchema, variableSchema } from '../../application/device-model/schemas.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import {
  cursorParameter,
  json as described,
  limitParameter,
  listOf,
  located,
  PAGE_DEFAULT,
  queryInteger,
  time,
} from '../../application/schemas/common.ts'
import { fittingVariables, PART, type VariableKey } from '../../domain/device-model/find-variable.ts'
import type { Report, StoredVariable } from '../../domain/device-model/records.ts'
import { needsScope, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'Device model'

const VariableSchema = z
  .strictObject({
    evseControllerId: z.string(),
    component: componentSchema,
    variable: variableSchema,
    attribute: z.string(),
    value: z.string().optional().openapi({ description: '*** where it is a secret.' }),
    mutability: z.string().optional(),
    dataType: z.string().optional(),
    unit: z.string().optional(),
    minLimit: z.number().optional(),
    maxLimit: z.number().optional(),
    valuesList: z.string().optional(),
    persistent: z.boolean().optional(),
    constant: z.boolean().optional(),
    supportsMonitoring: z.boolean().optional().openapi({ description: 'Whether a monitor may be set on it.' }),
    gone: z.literal(true).optional().openapi({ description: 'The newest complete report no longer had it.' }),
    updatedAt: time(),
  })
  .openapi('Variable')
const VariableListSchema = listOf('VariableList', VariableSchema)

const name = z.string().min(1).max(100)
const filters = {
  component: name.optional().openapi({ description: 'Name of the component, in any case.' }),
  variable: name.optional().openapi({ description: 'Name of the variable, in any case.' }),
  evseId: queryInteger(0, 999, 'Of this EVSE.').optional(),
  value: z.string().max(2500).optional().openapi({ description: 'Exactly this value.' }),
  limit: limitParameter,
  cursor: cursorParameter,
}

const BASES = ['FullInventory', 'ConfigurationInventory', 'SummaryInventory'] as const
const ReportOrderSchema = z
  .strictObject({
    base: z.enum(BASES).optional(),
    criteria: z
      .array(z.enum(['Active', 'Available', 'Enabled', 'Problem']))
      .min(1)
      .max(4)
      .optional(),
    componentVariables: z
      .array(z.strictObject({ component: componentSchema, variable: variableSchema.optional() }))
      .min(1)
      .max(500)
      .optional(),
  })
  .openapi('ReportOrder')
const ReportSchema = z
  .strictObject({
    id: z.string(),
    state: z.enum(['running', 'complete', 'incomplete', 'rejected']).openapi({
      description: 'incomplete: no page came for two minutes, or it was interrupted; what came is kept.',
    }),
    reason: z.string().optional(),
    truncated: z.literal(true).optional().openapi({ description: 'It had more than is kept of one charge point.' }),
    variableCount: z.int().optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Report')

type Filter = {
  readonly component?: string | undefined
  readonly variable?: string | undefined
  readonly evseId?: number | undefined
  readonly value?: string | undefined
}

export function addDeviceModel(api: Api): void {
  addVariables(api)
  addReports(api)
}

function addVariables(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/evse-controllers/{evseController}/variables',
    operationId: 'listVariablesOfEvseController',
    tag: TAG,
    summary: 'List variables of a charge point',
    description: 'Configuration keys of OCPP 1.6 are variables of the component ChargePoint.',
    access: needsScope('chargers:read'),
    params: chargePointParams,
    query: z.strictObject(filters),
    responses: { 200: described(VariableListSchema, 'A page of variables') },
    async handle({ principal, params, query }) {
      const { id } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`variables of ${id}`, principal, query)
      return variablePage(api, { limit, cursor, bound }, (count, after) =>
        ofChargePoints(api, [id], query, count, after),
      )
    },
  })
  api.endpoints.add({
    method: 'get',
    path: '/2/variables',
    operationId: 'listVariables',
    tag: TAG,
    summary: 'List one variable across charge points',
    access: needsScope('chargers:read'),
    query: z.strictObject(filters),
    responses: { 200: described(VariableListSchema, 'A page of variables') },
    async handle({ principal, query }) {
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('variables', principal, query)
      const shared = sharedChargePoints(principal)
      const where = {
        accountId: principal.accountId,
        ...(query.component !== undefined && { componentName: query.component.toLowerCase() }),
        ...(query.variable !== undefined && { variableName: query.variable.toLowerCase() }),
      }
      return variablePage(api, { limit, cursor, bound }, (count, after) =>
        shared
          ? ofChargePoints(api, [...new Set(shared)].sort(), query, count, after)
          : fittingVariables(
              (from) => api.reads.listRecords('variables', { where, limit: PART, ...(from && { after: from }) }),
              (row) => fits(row, query),
              count,
              after,
            ),
      )
    },
  })
}

async function ofChargePoints(
  { reads }: Api,
  chargePointIds: readonly string[],
  filter: Filter,
  limit: number,
  after: VariableKey | undefined,
): Promise<readonly StoredVariable[]> {
  const found: StoredVariable[] = []
  for (const chargePointId of after ? chargePointIds.filter((id) => id >= after.chargePointId) : chargePointIds) {
    if (found.length >= limit) break
    const list = (from: VariableKey | undefined): Promise<readonly StoredVariable[]> =>
      reads.listRecords('variables', { where: { chargePointId }, limit: PART, ...(from && { after: from }) })
    const behind = after?.chargePointId === chargePointId ? after : undefined
    found.push(...(await fittingVariables(list, (row) => fits(row, filter), limit - found.length, behind)))
  }
  return found
}

function fits(row: StoredVariable, { component, variable, evseId, value }: Filter): boolean {
  return (
    (component === undefined || row.componentName === component.toLowerCase()) &&
    (variable === undefined || row.variableName === variable.toLowerCase()) &&
    (evseId === undefined || row.name.component.evseId === evseId) &&
    (value === undefined || row.value === value)
  )
}

async function variablePage(
  api: Api,
  query: { readonly limit: number; readonly cursor: string | undefined; readonly bound: unknown },
  fetch: (limit: number, after: VariableKey | undefined) => Promise<readonly StoredVariable[]>,
): Promise<Response> {
  const { rows, nextCursor } = await listPage(api, query, async (limit, lastId) => {
    const last = lastId === undefined ? undefined : (JSON.parse(lastId) as [string, string])
    const found = await fetch(limit, last && { chargePointId: last[0], key: last[1] })
    return found.map((row) => ({ id: JSON.stringify([row.chargePointId, row.key]), row }))
  })
  return json({ data: rows.map(({ row }) => represented(row)), meta: { nextCursor } })
}

function represented({ chargePointId, name: named, value, characteristics, gone, updatedAt }: StoredVariable): object {
  const { component, variable, attribute } = named
  return {
    evseControllerId: chargePointId,
    component,
    variable,
    attribute,
    ...(value !== undefined && { value }),
    ...characteristics,
    ...(gone && { gone }),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function addReports(api: Api): void {
  const path = '/2/evse-controllers/{evseController}/reports'
  api.endpoints.add({
    method: 'post',
    path,
    operationId: 'orderReport',
    tag: TAG,
    summary: 'Request a report of a charge point’s variables',
    description:
      'Give a base, or criteria and componentVariables. It waits up to a day for a charge point that is away. A FullInventory that comes whole marks what it leaves out as gone. Of OCPP 1.6 every base asks for all configuration keys.',
    access: needsScope('chargers:configure'),
    params: chargePointParams,
    body: ReportOrderSchema,
    inspect: ({ body }) => ({ faults: askFaults(body) }),
    problems: [409, 422, 429],
    responses: { 202: located(ReportSchema, 'The report, which is being made') },
    async handle({ principal, params, body: ask }) {
      const { id: chargePointId, accountId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { id } = orRefused(await api.core.orderReport({ accountId, chargePointId, ask }))
      const report = await api.reads.getRecord('reports', { chargePointId, id })
      if (!report) throw notFound('report')
      const location = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/reports/${id}`
      return json(representReport(report), 202, { location })
    },
  })
  api.endpoints.add({
    method: 'get',
    path: `${path}/{reportId}`,
    operationId: 'getReport',
    tag: TAG,
    summary: 'Get a report',
    access: needsScope('chargers:configure'),
    params: chargePointParams.extend({ reportId: z.string() }),
    responses: { 200: described(ReportSchema, 'The report') },
    async handle({ principal, params }) {
      const { id: chargePointId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const id = /^\d{1,15}$/.test(params.reportId) ? Number(params.reportId) : undefined
      const report = id === undefined ? undefined : await api.reads.getRecord('reports', { chargePointId, id })
      if (!report) throw notFound('report')
      return json(representReport(report))
    },
  })
}

function askFaults({ base, criteria, componentVariables }: Readonly<Record<string, unknown>>) {
  if (base !== undefined && (criteria !== undefined || componentVariables !== undefined)) {
    return [{ pointer: '/base', code: 'invalid_value', message: 'goes without criteria and componentVariables' }]
  }
  const isEmpty = base === undefined && criteria === undefined && componentVariables === undefined
  return isEmpty
    ? [{ pointer: '/base', code: 'required', message: 'or criteria or componentVariables is required' }]
    : []
}

function representReport({ id, state, reason, truncated, variableCount, createdAt, updatedAt }: Report): object {
  return {
    id: String(id),
    state,
    ...(reason !== undefined && { reason }),
    ...(truncated && { truncated }),
    variableCount,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
