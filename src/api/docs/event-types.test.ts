import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { docsPage } from '../../../scripts/docs/docs-page.tsx'
import { doorOpened } from '../../../test/support/domain/events/testing.ts'
import { eventSchemas, subjectMember } from '../../application/schemas/webhooks.ts'
import { eventRegistry } from '../../domain/event-declaration.ts'
import { SESSION_EVENTS } from '../../domain/events/session-events.ts'
import type { ApiEnv } from '../endpoint.ts'
import { describeEvents } from './description.ts'

const registry = eventRegistry(...SESSION_EVENTS, doorOpened)
const schemas = eventSchemas(registry)

it('HOOK-E1: is a webhook of the description with its envelope, and a chapter of the page', () => {
  const app = new OpenAPIHono<ApiEnv>()
  describeEvents(app, schemas)
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'x', version: '1' } })
  expect(Object.keys(document.webhooks ?? {})).toEqual(['session.updated', 'door.opened'])
  expect(document.webhooks?.['door.opened']).toMatchObject({
    post: {
      operationId: 'doorOpened',
      summary: 'A door of a charge point was opened',
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/DoorEvent' } } } },
    },
  })
  expect(document.components?.schemas).toMatchObject({
    DoorEvent: { properties: { type: { enum: ['door.opened'] }, data: { $ref: '#/components/schemas/Door' } } },
  })
  const page = docsPage(document)
  for (const text of ['door.opened', 'A door of a charge point was opened', 'Sent whenever somebody opens one.']) {
    expect(page).toContain(text)
  }
})

it('HOOK-E2: may be chosen by a subscription; what is not in the registry may not', () => {
  expect(schemas.type.safeParse('door.opened').success).toBe(true)
  expect(schemas.type.safeParse('session.updated').success).toBe(true)
  expect(schemas.type.safeParse('door.shut').success).toBe(false)
})

it('HOOK-E1: is in the feed beside the others, and a delivery names its subject', () => {
  const envelope = {
    specversion: '1.0',
    id: 'e',
    source: 'service/api',
    time: 't',
    datacontenttype: 'application/json',
  }
  expect(schemas.envelope.safeParse({ ...envelope, type: 'door.opened', data: { door: 1 } }).success).toBe(true)
  expect(schemas.envelope.safeParse({ ...envelope, type: 'session.updated', data: { door: 1 } }).success).toBe(false)
  expect(subjectMember(registry, 'door.opened', 'CP1')).toEqual({ evseControllerId: 'CP1' })
  expect(subjectMember(registry, 'session.updated', 's1')).toEqual({ sessionId: 's1' })
  expect(Object.keys(schemas.subjects)).toEqual(['sessionId', 'evseControllerId'])
})
