import { inject, Service } from '@angular/core';
import { asHttpProblem, HttpProblem } from '@homeport/platform/web';
import { isQueuedEtag, queuedEtag } from '../saves/queued-save';
import { SaveQueue } from '../saves/save-queue';
import { SaveSender } from '../saves/save-sender';
import { TextWriter, type WriteTextOptions } from '../saves/text-writer';
import type { StoredText } from './text-encoding';

/** Saves the text of a file; without a connection, queues it on this device. */
@Service()
export class TextSaver {
  readonly #writer = inject(TextWriter);
  readonly #queue = inject(SaveQueue);
  readonly #sender = inject(SaveSender);

  /**
   * @returns the ETag of the stored file, or of the queued save.
   * @throws {HttpProblem} the text was neither stored nor queued; with 412, the condition does not hold.
   */
  async save(key: string, text: StoredText, options: WriteTextOptions): Promise<{ readonly etag: string }> {
    const sent = this.#queue.settled(options.condition.ifMatch)?.etag;
    if (sent !== undefined) return this.save(key, text, { ...options, condition: { ifMatch: sent } });
    if (isQueuedEtag(options.condition.ifMatch)) return this.#enqueue(key, text, options);
    try {
      return await this.#writer.write(key, text, options);
    } catch (error) {
      const problem = asHttpProblem(error);
      if (!problem.isConnectionFailure) throw problem;
      return this.#enqueue(key, text, options, problem);
    }
  }

  async #enqueue(
    key: string,
    text: StoredText,
    options: WriteTextOptions,
    problem?: HttpProblem,
  ): Promise<{ readonly etag: string }> {
    const queued = await this.#queue.add({ key, text, ...options });
    if (queued === 'conflict') throw replacedElsewhere();
    if (queued === 'not-stored') throw problem ?? notStored();
    void this.#sender.flush();
    return { etag: queuedEtag(queued) };
  }
}

/** Another tab has queued a save of the file: a conflict, as with a stored file. */
function replacedElsewhere(): HttpProblem {
  return new HttpProblem({
    kind: 'refused',
    status: 412,
    title: $localize`Changed in another tab`,
    detail: $localize`Another tab has saved this file on this device.`,
    code: 'client.replaced-elsewhere',
  });
}

function notStored(): HttpProblem {
  return new HttpProblem({
    kind: 'unexpected',
    status: 0,
    title: $localize`Not saved`,
    detail: $localize`This device cannot store the text. Keep this page open until the connection returns.`,
    code: 'client.not-stored',
  });
}
