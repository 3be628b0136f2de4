/** How a reply is cut into messages; constants, since both ends must agree. Measured with nats-server 2.9: see CONTEXT.md. */

/** A body up to this size is one message. */
export const maxWholeReplyBytes = 512 * 1024;
/** Size of a chunk: with its header it fits one read of a socket, so that the receiver hardly copies. */
export const chunkBytes = 60 * 1024;
/** Bytes that may be under way to the readers of one team: whoever asks meanwhile waits behind them on the same connection. */
export const windowBytes = 1024 * 1024;
/** The reader tells how far it is each time it has consumed this much. */
export const creditStepBytes = chunkBytes / 2;
/** Bytes that may be under way to one reader in any case: a chunk, and what its reader has not told yet. */
export const ownWindowBytes = chunkBytes + creditStepBytes;
/** What `max_payload` must leave free for headers. */
export const maxHeaderBytes = 16 * 1024;
/** A reader that takes no byte for so long is left; so is a source that gives none, past the deadline of its call. */
export const stallTimeoutMs = 15_000;
/** The same of a reader whose team has as many unread bytes as it may: its answer still holds what it is read from. */
export const overShareStallTimeoutMs = 5_000;
/** What waits for slow readers in one process, so that its sources can end: of all, and of one team. */
export const maxUnreadBytes = 96 * 1024 * 1024;
export const maxUnreadBytesPerTeam = maxUnreadBytes / 3;
/** A service says this often that it still works on a call whose answer has not come. */
export const heartbeatIntervalMs = 500;
/** A service that was not heard of for so long while it has a call of ours is taken for dead. */
export const silenceTimeoutMs = 3000;
/** A call that is safe to repeat is sent again after this long without one of the words that come every `heartbeatIntervalMs`. */
export const resendAfterMs = 1500;
/** How often such a call is sent at most. */
export const maxSendAttempts = 3;
/** The first pause before a write is sent again whose key an attempt before still holds; each further one is twice as long. */
export const idempotencyKeyHeldRetryDelayMs = 100;
export const maxIdempotencyKeyHeldRetryDelayMs = 1000;
/** How often deadlines are looked at. */
export const sweepIntervalMs = 50;
