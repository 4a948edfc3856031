"""One log in, its digest out, made on Spark: `spark-submit digest_log.py LOG DIGEST.json`.

Each partition of the log goes through `couch-advisor digest --partial` (map), and the partial digests of all partitions go
through `couch-advisor digest --merge -` (reduce). docs/digest.md shows a run.
"""

import os
import shlex
import sys

from pyspark import SparkContext

log, digest = sys.argv[1:]
# What is piped to gets no environment but this one.
env = {"PATH": os.environ["PATH"]}
name = shlex.quote(os.path.basename(log))


def numbered(number, lines):
    """The number of the partition, then its lines: so that line numbers count through the whole log."""
    yield str(number)
    yield from lines


spark = SparkContext(appName="couch-advisor digest")
lines = spark.newAPIHadoopFile(
    log,
    "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
    "org.apache.hadoop.io.LongWritable",
    "org.apache.hadoop.io.Text",
    # Spark takes a carriage return for the end of a line too, where it is not told otherwise.
    conf={"textinputformat.record.delimiter": "\n"},
).values()
partials = lines.mapPartitionsWithIndex(numbered).pipe(
    f"couch-advisor digest --partial --part first-line --stdin-filename {name}", env, checkCode=True
)
whole = partials.repartition(1).pipe("couch-advisor digest --merge - --format json", env, checkCode=True)
with open(digest, "w", encoding="utf-8") as file:
    file.writelines(f"{line}\n" for line in whole.collect())
print(f"{lines.getNumPartitions()} partitions, digest in {digest}")
spark.stop()
