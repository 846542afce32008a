using System;
using System.Buffers.Binary;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Shisanzhi.Tests
{
    /// <summary>Answers one call as the server did when it was recorded.</summary>
    internal sealed class ReplayHandler : HttpMessageHandler
    {
        private const string Service = "/shisanzhi.v1.GameLogicService/";
        private readonly JsonElement recorded;

        public ReplayHandler(JsonElement recorded)
        {
            this.recorded = recorded;
        }

        /// <summary>Gives a message as it is on the wire: not compressed, its length, itself.</summary>
        public static byte[] Framed(byte[] message)
        {
            byte[] framed = new byte[5 + message.Length];
            BinaryPrimitives.WriteUInt32BigEndian(framed.AsSpan(1), (uint)message.Length);
            message.CopyTo(framed, 5);
            return framed;
        }

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            byte[] sent = await request.Content.ReadAsByteArrayAsync(cancellationToken);
            string path = Service + recorded.GetProperty("method").GetString();
            if (request.RequestUri.AbsolutePath != path)
            {
                throw new InvalidOperationException($"expected a call of {path}, got {request.RequestUri}");
            }

            byte[] expected = Framed(Convert.FromHexString(recorded.GetProperty("request").GetString()));
            if (!sent.SequenceEqual(expected))
            {
                throw new InvalidOperationException(
                    $"expected {Convert.ToHexString(expected)}, got {Convert.ToHexString(sent)}");
            }

            return Answer(request);
        }

        private HttpResponseMessage Answer(HttpRequestMessage request)
        {
            string message = Vectors.TextOrNull(recorded.GetProperty("response"));
            HttpResponseMessage response = new HttpResponseMessage(HttpStatusCode.OK)
            {
                RequestMessage = request,
                Version = HttpVersion.Version20,
                Content = new ByteArrayContent(
                    message == null ? Array.Empty<byte>() : Framed(Convert.FromHexString(message))),
            };
            response.Content.Headers.ContentType = new MediaTypeHeaderValue("application/grpc");
            Add(response.Headers, recorded.GetProperty("headers"));
            Add(response.TrailingHeaders, recorded.GetProperty("trailers"));
            return response;
        }

        private static void Add(HttpHeaders headers, JsonElement fields)
        {
            foreach (JsonElement field in fields.EnumerateArray())
            {
                string name = field[0].GetString();
                if (!name.StartsWith(':') && name != "content-type")
                {
                    headers.TryAddWithoutValidation(name, field[1].GetString());
                }
            }
        }
    }
}
