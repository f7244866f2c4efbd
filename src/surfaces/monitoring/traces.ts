import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type TextMapGetter, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { Tracing } from '../../config.ts'
import type { Database, DatabaseObserver } from '../../database/database.ts'
import { observeExchanges } from '../http/exchanges.ts'

/**
 * Traces by hand, at the three places where there is something to tell of: a request, a wait for the database, a
 * statement. Packages that change others as they are loaded would slow every start, and tell what was asked by whom.
 */

/** How long a service that stops waits for the last of them to be taken. */
const LAST_WORDS = 2000

/** A collector that is away is told of once in a while. */
const TOLD_EVERY = 60_000

const HEADERS: TextMapGetter<IncomingMessage['headers']> = {
  keys: Object.keys,
  get: (headers, name) => headers[name],
}

export function traceRequests(
  app: FastifyInstance,
  { database, tracing, version }: { database: Database; tracing: Tracing; version: string },
): void {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'cadre', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(tracing),
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(new OTLPTraceExporter(), app), ...tracing.batch })],
  })
  const tracer = provider.getTracer('cadre', version)
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<IncomingMessage, Span>()
  const current = new AsyncLocalStorage<Span>()

  observeExchanges(app, {
    begun(request) {
      const from = propagator.extract(ROOT_CONTEXT, request.headers, HEADERS)
      const method = request.method as string
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        from,
      )
      spans.set(request, span)
      current.enterWith(span)
    },
    ended({ request, requestId, route, status }) {
      const span = spans.get(request) as Span
      if (route !== undefined) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route)
      span.setAttribute('http.response.status_code', status)
      // The same as in the log and in the ledger.
      if (requestId !== undefined) span.setAttribute('cadre.request_id', requestId)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  })

  /** Something that has just ended, within the request that it was for; what belongs to none is not told. */
  function tell(name: string, milliseconds: number, attributes: Record<string, string>): void {
    const span = current.getStore()
    if (!span?.isRecording()) return
    const now = Date.now()
    const options = { kind: SpanKind.CLIENT, startTime: now - milliseconds, attributes }
    tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, span)).end(now)
  }
  const system = database.engine === 'sqlite' ? 'sqlite' : 'postgresql'
  const watcher: DatabaseObserver = {
    ran: (text, milliseconds) =>
      tell(nameOf(text), milliseconds, {
        'db.system.name': system,
        'db.query.text': text.slice(0, MOST_OF_A_STATEMENT),
      }),
    waited: (work, milliseconds) => tell(`wait to ${work}`, milliseconds, { 'db.system.name': system }),
  }
  database.observers.add(watcher)
  app.addHook('onClose', async () => {
    database.observers.delete(watcher)
    await Promise.race([provider.shutdown().catch(() => undefined), pause(LAST_WORDS, undefined, { ref: false })])
  })
}

const MOST_OF_A_STATEMENT = 2000

/** `select genders`: what is done, and to which table. */
function nameOf(statement: string): string {
  const [word = ''] = /^\w+/.exec(statement) ?? []
  const [, table] = (word === 'update' ? /^update "?(\w+)/ : /\b(?:from|into) "?(\w+)/).exec(statement) ?? []
  return table ? `${word} ${table}` : word
}

/** Says so when traces are not taken: nobody misses what they do not see. */
function telling(exporter: SpanExporter, app: FastifyInstance): SpanExporter {
  let told = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && performance.now() - told > TOLD_EVERY) {
          told = performance.now()
          app.log.warn(
            { err: result.error },
            'traces could not be exported and are lost: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector',
          )
        }
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

function samplerOf({ sampler, ratio }: Tracing): Sampler {
  const own = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root: own }) : own
}
