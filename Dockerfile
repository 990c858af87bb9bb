# evaltui in a container; mount a project at /project.
#
#   docker build -t evaltui .
#   docker run --rm -v "$PWD:/project" evaltui run --suite suites/starter_suite.json --out runs/1
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY evaltui ./evaltui
COPY schemas ./schemas
COPY themes ./themes
COPY sample_evals ./sample_evals
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels
RUN useradd --create-home evaltui
USER evaltui
WORKDIR /project
ENTRYPOINT ["evaltui"]
CMD ["--help"]
