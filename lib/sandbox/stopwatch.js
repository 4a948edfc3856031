// Tells when work has taken too long. Counts the time of the processor, so that a busy machine does not look like slow code.

/** A call that hardly gets the processor is still given up after this many times its limit. */
const PATIENCE = 10;

/**
 * Milliseconds of the processor: those of this thread where Node.js tells them (23.9 and later), else those of the process.
 * @returns {number}
 */
function processorMs() {
  const { threadCpuUsage } = /** @type {{threadCpuUsage?: () => NodeJS.CpuUsage}} */ (process);
  const { user, system } = threadCpuUsage ? threadCpuUsage.call(process) : process.cpuUsage();
  return (user + system) / 1000;
}

export class Stopwatch {
  /** Starts at once. @param {number} limitMs */
  constructor(limitMs) {
    this.limitMs = limitMs;
    this.start = performance.now();
    this.startedProcessorMs = processorMs();
  }

  /** @returns {boolean} whether the limit has passed */
  isOver() {
    return this.restMs() <= 0;
  }

  /** @returns {number} milliseconds of the limit that are left at the least; 0 or below where it has passed */
  restMs() {
    const elapsed = performance.now() - this.start;
    if (elapsed < this.limitMs) return this.limitMs - elapsed;
    if (elapsed > this.limitMs * PATIENCE) return 0;
    return this.limitMs - (processorMs() - this.startedProcessorMs);
  }
}
