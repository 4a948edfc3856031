"""Logs in, their digest out, made on Spark: `spark-submit digest_log.py LOG... DIGEST.json`.

A log is a file, a folder or a glob of any file system that Hadoop knows. Each partition of each file goes through
`couch-advisor digest --partial` (map), and the partial digests of all of them go through `couch-advisor digest --merge -`
(reduce). docs/digest.md shows a run.
"""

import os
import shlex
import sys

from pyspark import SparkContext

*logs, digest = sys.argv[1:]
if not logs:
    sys.exit("usage: spark-submit digest_log.py LOG... DIGEST.json")
# Piped programs get no environment but this one. `--archives tools.tar.gz#tools` unpacks into ./tools of each executor.
env = {"PATH": f"./tools/bin:{os.environ['PATH']}"}


def files_of(spark, patterns):
    """Paths of all files that are named, without duplicates; of a folder, the files in it that Hadoop does not hide."""
    conf = spark._jsc.hadoopConfiguration()
    found = {}
    for pattern in patterns:
        path = spark._jvm.org.apache.hadoop.fs.Path(pattern)
        system = path.getFileSystem(conf)
        named = system.globStatus(path) or []
        if len(named) == 0:
            sys.exit(f"{pattern}: there is no such file")
        for status in named:
            inside = system.listStatus(status.getPath()) if status.isDirectory() else [status]
            for file in inside:
                if file.isFile() and (file is status or file.getPath().getName()[0] not in "._"):
                    found[file.getPath().toString()] = None
    return sorted(found)


def shown(file):
    """The name of the file in examples: relative to this folder, or the full address of a file that is not local."""
    return os.path.relpath(file.removeprefix("file:")) if file.startswith("file:") else file


def numbered(number, lines):
    """The number of the partition in its file, then its lines, so that line numbers count through the whole file."""
    yield str(number)
    yield from lines


def digested(spark, file):
    """The partial digests of one file. Each file is an RDD of its own: partitions of several files would lose their names."""
    lines = spark.newAPIHadoopFile(
        file,
        "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
        "org.apache.hadoop.io.LongWritable",
        "org.apache.hadoop.io.Text",
        # By default a carriage return ends a line, too.
        conf={"textinputformat.record.delimiter": "\n"},
    ).values()
    name = shlex.quote(shown(file))
    return lines.mapPartitionsWithIndex(numbered).pipe(
        f"couch-advisor digest --partial --part first-line --stdin-filename {name}", env, checkCode=True
    )


spark = SparkContext(appName="couch-advisor digest")
files = files_of(spark, logs)
partials = spark.union([digested(spark, file) for file in files])
whole = partials.repartition(1).pipe("couch-advisor digest --merge - --format json", env, checkCode=True)
with open(digest, "w", encoding="utf-8") as file:
    file.writelines(f"{line}\n" for line in whole.collect())
print(f"{len(files)} files, {partials.getNumPartitions()} partitions, digest in {digest}")
spark.stop()
